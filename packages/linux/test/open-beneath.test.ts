import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { openBeneath } from '../src/open-beneath.ts';

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_DIRECTORY } = constants;

function hold(t: Test, path: string): number {
  const fd = openSync(path, O_RDONLY | O_DIRECTORY);
  t.teardown(() => closeSync(fd));
  return fd;
}

t.test('opens, creates and reads below the directory', (t) => {
  const dir = t.testdir({ sub: { file: 'text' } });
  const root = hold(t, dir);
  const fd = openBeneath(root, 'sub/file', O_RDONLY);
  t.equal(readFileSync(fd, 'utf8'), 'text');
  closeSync(fd);
  const made = openBeneath(root, 'sub/new', O_RDWR | O_CREAT | O_EXCL, 0o600);
  t.equal(statSync(join(dir, 'sub/new')).mode & 0o777, 0o600);
  t.match(readFileSync(`/proc/self/fdinfo/${made}`, 'utf8'), /flags:\t0?2[0-9]{6}/, 'closed on exec');
  closeSync(made);
  const self = openBeneath(root, 'sub/../sub/.', O_RDONLY);
  closeSync(self);
  t.end();
});

t.test('nothing leads out', (t) => {
  const dir = t.testdir({ in: { sub: {} }, secret: 'secret' });
  const root = hold(t, join(dir, 'in'));
  symlinkSync('../secret', join(dir, 'in/link'));
  symlinkSync('sub', join(dir, 'in/inner'));
  symlinkSync('/proc/self/root', join(dir, 'in/magic'));
  writeFileSync(join(dir, 'in/sub/file'), '');
  const cases = {
    '../secret': 'EXDEV',
    'sub/../../secret': 'EXDEV',
    '/etc/passwd': 'EXDEV',
    link: 'ELOOP',
    'inner/file': 'ELOOP',
    'magic/etc/passwd': 'ELOOP',
    missing: 'ENOENT',
    'sub/file/x': 'ENOTDIR',
    'a\0b': 'EINVAL',
    [`${'n'.repeat(256)}`]: 'ENAMETOOLONG',
  };
  for (const [path, code] of Object.entries(cases))
    t.throws(() => openBeneath(root, path, O_RDONLY), { code }, path);
  t.end();
});

t.test('a component swapped for a symlink in a loop never leads out', async (t) => {
  const dir = t.testdir({ in: { sub: { file: 'inside' } }, out: { file: 'outside' } });
  const root = hold(t, join(dir, 'in'));
  const attack = `
    const { renameSync, symlinkSync, rmSync } = require('node:fs');
    const { workerData: dir } = require('node:worker_threads');
    symlinkSync('../out', dir + '/in/evil');
    for (;;) {
      renameSync(dir + '/in/sub', dir + '/in/kept'); renameSync(dir + '/in/evil', dir + '/in/sub');
      renameSync(dir + '/in/sub', dir + '/in/evil'); renameSync(dir + '/in/kept', dir + '/in/sub');
    }`;
  const worker = new Worker(attack, { eval: true, workerData: dir });
  await new Promise((resolve) => worker.once('online', resolve));
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  const end = Date.now() + 1000;
  while (Date.now() < end) {
    try {
      const fd = openBeneath(root, 'sub/file', O_RDONLY);
      count(readFileSync(fd, 'utf8'));
      closeSync(fd);
    } catch (error) {
      count((error as NodeJS.ErrnoException).code ?? 'unknown');
    }
  }
  await worker.terminate();
  t.notOk(seen.has('outside'), [...seen].join(' '));
  t.ok(seen.get('inside'), 'the allowed file opens');
  t.ok(seen.get('ELOOP'), 'the attack was met');
});

t.test('a held directory is the one meant, wherever its name goes', (t) => {
  const dir = t.testdir({ a: { file: 'right' } });
  const root = hold(t, join(dir, 'a'));
  renameSync(join(dir, 'a'), join(dir, 'b'));
  mkdirSync(join(dir, 'a'));
  const fd = openBeneath(root, 'file', O_RDONLY);
  t.equal(readFileSync(fd, 'utf8'), 'right');
  closeSync(fd);
  t.end();
});
