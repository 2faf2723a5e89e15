import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import t from 'tap';
import { isProvider, providersDirectory, readProviders } from '../src/providers.ts';

const folder = mkdtempSync('/tmp/cfs-providers-');
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const place = { kind: 'user', config: folder } as const;
const put = (file: string, value: object | string) =>
  writeFileSync(
    `${providersDirectory(folder)}/${file}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  );
const provider = (name: string) => ({
  name,
  base_url: 'http://127.0.0.1:1/v1',
  driver: 'google',
  models: ['m'],
});

t.test('no directory: no provider', async (t) => t.strictSame(readProviders(place), []));

t.test('each file is one, in name order; what is broken does not hide the others', async (t) => {
  mkdirSync(providersDirectory(folder));
  put('b.json', provider('b'));
  put('a.json', provider('a'));
  put('c.json', '{"name":');
  put('d.json', provider('other'));
  put('e.json', 'x'.repeat(300_000));
  put('.hidden.json', provider('hidden'));
  put('note.txt', 'not for us');
  mkdirSync(`${providersDirectory(folder)}/f.json`);
  symlinkSync('nowhere', `${providersDirectory(folder)}/g.json`);
  const found = readProviders(place);
  t.strictSame(
    found.filter(isProvider).map(({ name }) => name),
    ['a', 'b'],
  );
  const broken = found.filter((entry): entry is CortexError => entry instanceof CortexError);
  t.strictSame(
    broken.map(({ code, path }) => `${code} ${path?.slice(-6)}`),
    ['EINVAL c.json', 'EINVAL d.json', 'EINVAL e.json', 'EINVAL f.json', 'ENOENT g.json'],
  );
  t.match(broken[1]?.message, /holds the provider "other"/);
});
