import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaults } from '@cortexfs/abi/controls/model/default';
import t from 'tap';
import { PARAMETERS, parseParameters, readSettings } from '../../src/network/settings.ts';
import { scratch } from '../object-file.ts';

t.test('controls are read beside the executable; only id and driver must be there', async (t) => {
  const file = join(scratch(t), 'm');
  mkdirSync(`${file}.d`);
  const write = (name: string, text: string) => writeFileSync(`${file}.d/${name}`, text);
  t.throws(() => readSettings(file, 'model/p/m'), { code: 'ENOENT', path: 'model/p/m.d/id' });
  write('id', 'vendor/m:1\n');
  write('driver', 'default=google\nagent=openai-chat,google\n');
  t.match(readSettings(file, 'model/p/m'), {
    id: 'vendor/m:1',
    driver: { default: ['google'], agent: ['openai-chat', 'google'] },
    effort: 'auto',
  });
  write('effort', 'extreme\n');
  t.throws(() => readSettings(file, 'model/p/m'), { code: 'EINVAL', path: 'model/p/m.d/effort' });
  write('effort', 'high\n');
  write('default', 'x'.repeat(70_000));
  t.throws(() => readSettings(file, 'model/p/m'), { code: 'EINVAL', path: 'model/p/m.d/default' });
});

t.test('what is no file is no control', async (t) => {
  const file = join(scratch(t), 'm');
  mkdirSync(`${file}.d/id`, { recursive: true });
  t.throws(() => readSettings(file, 'model/p/m'), { code: 'EINVAL', path: 'model/p/m.d/id' });
  rmSync(`${file}.d/id`, { recursive: true });
  symlinkSync('id', `${file}.d/id`);
  t.throws(() => readSettings(file, 'model/p/m'), { code: 'ELOOP', path: 'model/p/m.d/id' });
});

t.test('parameters have names and ranges', async (t) => {
  const parse = (text: string) => parseParameters(defaults.parse(text), 'model/p/m');
  t.strictSame(parse('temperature=0.2\nmax_tokens=512\n'), { temperature: 0.2, max_tokens: 512 });
  for (const [name, [least, most]] of Object.entries(PARAMETERS)) {
    t.strictSame(parse(`${name}=${least}\n`), { [name]: least });
    t.throws(() => parse(`${name}=${most * 10}\n`), { code: 'EINVAL', path: 'model/p/m.d/default' }, name);
  }
  for (const text of [
    'temprature=1\n',
    'seed=\n',
    'seed=NaN\n',
    'seed=1e3\n',
    'seed=0x10\n',
    'constructor=1\n',
  ])
    t.throws(() => parse(text), { code: 'EINVAL' }, text);
});
