import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { writeControl } from '../../src/definition/write-control.ts';
import { CODER } from '../site.ts';
import { temporaryDirectory } from '../temporary.ts';

t.test('a control is written whole into the controls that are meant', async (t) => {
  const store = temporaryDirectory(t);
  const controls = join(store, 'agent/coder.d');
  mkdirSync(controls, { recursive: true });
  await writeControl(store, CODER, 'system.md', 'one\n');
  t.equal(readFileSync(join(controls, 'system.md'), 'utf8'), 'one\n');
  t.equal(lstatSync(join(controls, 'system.md')).mode & 0o777, 0o644);

  const outside = join(store, 'outside');
  writeFileSync(outside, 'untouched');
  symlinkSync(outside, join(controls, 'prompt.template.md'));
  await writeControl(store, CODER, 'prompt.template.md', 'two\n');
  t.equal(readFileSync(outside, 'utf8'), 'untouched', 'a link in its place is not followed');
  t.ok(lstatSync(join(controls, 'prompt.template.md')).isFile());
  t.strictSame(
    readdirSync(controls).sort(),
    ['prompt.template.md', 'system.md'],
    'nothing temporary is left',
  );

  renameSync(controls, join(store, 'elsewhere'));
  symlinkSync('../elsewhere', controls);
  await t.rejects(writeControl(store, CODER, 'system.md', 'three\n'), {
    code: 'ELOOP',
    path: 'agent/coder.d/system.md',
  });
  t.equal(readFileSync(join(store, 'elsewhere/system.md'), 'utf8'), 'one\n', 'nor is one on the way');
});

t.test('without controls there is nothing to write into', async (t) => {
  await t.rejects(writeControl(temporaryDirectory(t), CODER, 'system.md', 'x'), { code: 'ENOENT' });
});
