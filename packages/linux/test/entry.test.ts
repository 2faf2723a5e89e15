import { execFileSync } from 'node:child_process';
import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import {
  makeDirectory,
  moveEntry,
  openDirectory,
  removeDirectory,
  removeFile,
  statusOf,
} from '../src/entry.ts';

function held(t: Test, path: string): number {
  const fd = openSync(path, 'r');
  t.teardown(() => closeSync(fd));
  return fd;
}

t.test('makes, finds, moves and removes entries of a held directory', async (t) => {
  const path = t.testdir({ from: { file: 'text' }, to: {} });
  const [from, to] = [held(t, join(path, 'from')), held(t, join(path, 'to'))];
  makeDirectory(from, 'sub', 0o700);
  t.equal(lstatSync(join(path, 'from/sub')).mode & 0o777, 0o700);
  t.equal(statusOf(from, 'sub')?.isDirectory(), true);
  t.equal(statusOf(from, 'file')?.size, 4n);
  t.equal(statusOf(from, 'missing'), undefined);
  const inode = statusOf(from, 'file')!.ino;
  moveEntry(from, 'file', to, 'moved');
  t.equal(statusOf(to, 'moved')?.ino, inode);
  removeFile(to, 'moved');
  removeDirectory(from, 'sub');
  t.same([readdirSync(join(path, 'from')), readdirSync(join(path, 'to'))], [[], []]);
});

t.test('nothing is overwritten, and each removal knows its kind', async (t) => {
  const path = t.testdir({ a: 'a', b: 'b', full: { x: '' } });
  const dir = held(t, path);
  symlinkSync('missing', join(path, 'dangling'));
  t.throws(() => moveEntry(dir, 'a', dir, 'b'), { code: 'EEXIST' });
  t.throws(() => moveEntry(dir, 'a', dir, 'dangling'), { code: 'EEXIST' });
  t.throws(() => moveEntry(dir, 'none', dir, 'c'), { code: 'ENOENT' });
  t.throws(() => makeDirectory(dir, 'a', 0o700), { code: 'EEXIST' });
  t.throws(() => removeDirectory(dir, 'full'), { code: 'ENOTEMPTY' });
  t.throws(() => removeDirectory(dir, 'a'), { code: 'ENOTDIR' });
  t.throws(() => removeFile(dir, 'full'), { code: 'EISDIR' });
  t.equal(readFileSync(join(path, 'b'), 'utf8'), 'b');
});

t.test('links are what they are', async (t) => {
  const path = t.testdir({ real: { kept: '' } });
  symlinkSync('real', join(path, 'link'));
  execFileSync('mkfifo', [join(path, 'fifo')]);
  const dir = held(t, path);
  t.equal(statusOf(dir, 'link')?.isSymbolicLink(), true);
  t.equal(statusOf(dir, 'fifo')?.isFIFO(), true);
  t.throws(() => openDirectory(dir, 'link'), { code: /^(ELOOP|ENOTDIR)$/ });
  t.throws(() => openDirectory(dir, 'fifo'), { code: 'ENOTDIR' });
  t.equal(openDirectory(dir, 'missing'), undefined);
  const real = openDirectory(dir, 'real')!;
  t.equal(statusOf(real, 'kept')?.isFile(), true);
  closeSync(real);
  removeFile(dir, 'link');
  t.same(readdirSync(join(path, 'real')), ['kept'], 'what the link named is untouched');
});

t.test('a name is one component and may be any bytes', async (t) => {
  const path = t.testdir({ sub: {} });
  const dir = held(t, path);
  for (const name of ['', '.', '..', 'sub/x', '/x', 'a\0b']) {
    t.throws(() => makeDirectory(dir, name, 0o700), { code: 'EINVAL' }, JSON.stringify(name));
    t.throws(() => removeFile(dir, name), { code: 'EINVAL' });
    t.throws(() => statusOf(dir, name), { code: 'EINVAL' });
    t.throws(() => moveEntry(dir, 'sub', dir, name), { code: 'EINVAL' });
  }
  const latin1 = Buffer.from([0x66, 0xe9]);
  makeDirectory(dir, latin1, 0o700);
  t.equal(statusOf(dir, latin1)?.isDirectory(), true);
  removeDirectory(dir, latin1);
  t.same(readdirSync(path), ['sub']);
});

t.test('a held directory is the one meant, wherever its name goes', async (t) => {
  const path = t.testdir({ a: {} });
  const dir = held(t, join(path, 'a'));
  moveEntry(held(t, path), 'a', held(t, path), 'b');
  mkdirSync(join(path, 'a'));
  makeDirectory(dir, 'inside', 0o700);
  t.same([readdirSync(join(path, 'a')), readdirSync(join(path, 'b'))], [[], ['inside']]);
});

t.test(
  'an entry that is moved away and back is there, or not, or another one; nothing else is said of it',
  async (t) => {
    const path = t.testdir({ in: { file: 'text' }, out: {} });
    const dir = held(t, join(path, 'in'));
    const attack = `
    const { renameSync } = require('node:fs');
    const { workerData: path } = require('node:worker_threads');
    for (;;) {
      renameSync(path + '/in/file', path + '/out/file');
      renameSync(path + '/out/file', path + '/in/file');
    }`;
    const worker = new Worker(attack, { eval: true, workerData: path });
    await new Promise((resolve) => worker.once('online', resolve));
    const seen = new Set<string>();
    for (let turn = 0; turn < 20_000 || seen.size < 2; turn++)
      seen.add(statusOf(dir, 'file') ? 'there' : 'gone');
    await worker.terminate();
    t.same([...seen].sort(), ['gone', 'there']);
  },
);
