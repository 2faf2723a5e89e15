import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ensureRuntimeDir } from '../src/runtime-dir.ts';

t.test('creates each level private, and finds it again', (t) => {
  const dir = join(t.testdir(), 'cortexfs');
  const umask = process.umask(0o277);
  t.teardown(() => process.umask(umask));
  const last = ensureRuntimeDir(dir, 'terminal', 'coder');
  t.equal(last, join(dir, 'terminal', 'coder'));
  for (const path of [dir, join(dir, 'terminal'), last]) t.equal(statSync(path).mode & 0o7777, 0o700);
  t.equal(ensureRuntimeDir(dir, 'terminal', 'coder'), last);
  t.end();
});

t.test('a missing parent is an error, not created', (t) => {
  const dir = t.testdir();
  t.throws(() => ensureRuntimeDir(join(dir, 'run', 'cortexfs')), { code: 'ENOENT', layer: 'runtime' });
  t.same(readdirSync(dir), []);
  t.end();
});

t.test('what somebody may have planted is refused and left alone', (t) => {
  const dir = t.testdir();
  const own = join(dir, 'own');
  mkdirSync(own, { mode: 0o700 });
  symlinkSync('own', join(dir, 'link'));
  t.throws(() => ensureRuntimeDir(join(dir, 'link')), { code: 'EACCES', layer: 'runtime' });
  t.ok(lstatSync(join(dir, 'link')).isSymbolicLink());

  writeFileSync(join(dir, 'file'), '');
  t.throws(() => ensureRuntimeDir(join(dir, 'file')), { code: 'EACCES' });

  for (const mode of [0o750, 0o701, 0o777, 0o710]) {
    chmodSync(own, mode);
    t.throws(() => ensureRuntimeDir(own), { code: 'EACCES', hint: `chmod 700 ${own}` });
    t.equal(statSync(own).mode & 0o777, mode);
  }
  t.end();
});

t.test(
  'another user’s directory is refused',
  { skip: process.getuid?.() === 0 ? false : 'needs root' },
  (t) => {
    const own = join(t.testdir({ own: {} }), 'own');
    chmodSync(own, 0o700);
    chownSync(own, 12345, 12345);
    t.throws(() => ensureRuntimeDir(own), { code: 'EACCES', message: /belongs to uid 12345/ });
    t.throws(() => ensureRuntimeDir(own, 'below'), { code: 'EACCES' });
    t.same(readdirSync(own), []);
    t.end();
  },
);
