import {
  chmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  fsyncDirectory,
  fsyncDirectorySync,
  replaceLinkSync,
  TEMPORARY_PREFIX,
  writeDurable,
  writeDurableSync,
} from '../src/durable-write.ts';

type Write = (
  path: string,
  bytes: string | Uint8Array,
  options?: { mode?: number; owner?: { uid: number; gid: number } },
) => unknown;

for (const [name, write] of Object.entries({ writeDurable, writeDurableSync }) as [string, Write][]) {
  t.test(name, (t) => {
    t.test('creates with the mode asked for, whatever the umask', async (t) => {
      const path = join(t.testdir(), 'new');
      const umask = process.umask(0o777);
      t.teardown(() => process.umask(umask));
      await write(path, 'text\n', { mode: 0o640 });
      t.equal(readFileSync(path, 'utf8'), 'text\n');
      t.equal(statSync(path).mode & 0o7777, 0o640);
    });

    t.test('replaces whole, also by nothing and by bytes', async (t) => {
      const path = join(t.testdir({ old: 'a long old text' }), 'old');
      await write(path, '');
      t.equal(readFileSync(path, 'utf8'), '');
      await write(path, new Uint8Array([0, 255]));
      t.same(readFileSync(path), Buffer.from([0, 255]));
    });

    t.test('a reader that holds the old file keeps reading it whole', async (t) => {
      const path = join(t.testdir({ file: 'old' }), 'file');
      const fd = openSync(path, 'r');
      await write(path, 'new');
      t.equal(readFileSync(fd, 'utf8'), 'old');
    });

    t.test('a symlink is replaced, its target untouched', async (t) => {
      const dir = t.testdir({ victim: 'secret' });
      symlinkSync('victim', join(dir, 'link'));
      await write(join(dir, 'link'), 'mine');
      t.equal(readFileSync(join(dir, 'victim'), 'utf8'), 'secret');
      t.ok(lstatSync(join(dir, 'link')).isFile());
    });

    t.test('a failure leaves the old state and no temporary file', async (t) => {
      const dir = t.testdir();
      mkdirSync(join(dir, 'target', 'sub'), { recursive: true });
      await t.rejects(async () => write(join(dir, 'target'), 'x'), { code: /^(EISDIR|ENOTEMPTY|EEXIST)$/ });
      t.same(readdirSync(dir), ['target']);
      await t.rejects(async () => write(join(dir, 'missing', 'file'), 'x'), { code: 'ENOENT' });
    });

    t.test('a name of 255 bytes can be written', async (t) => {
      const path = join(t.testdir(), 'n'.repeat(255));
      await write(path, 'ok');
      t.equal(readFileSync(path, 'utf8'), 'ok');
    });

    t.test('a leftover of a crash is recognisable and in nobody’s way', async (t) => {
      const dir = t.testdir();
      writeFileSync(join(dir, `${TEMPORARY_PREFIX}0123`), 'torn');
      await write(join(dir, 'file'), 'ok');
      t.same(readdirSync(dir).sort(), [`${TEMPORARY_PREFIX}0123`, 'file']);
    });

    t.test('works below a held directory', async (t) => {
      const dir = t.testdir();
      const fd = openSync(dir, 'r');
      await write(`/proc/self/fd/${fd}/file`, 'ok');
      t.equal(readFileSync(join(dir, 'file'), 'utf8'), 'ok');
    });

    t.test('root may set the owner', { skip: process.getuid?.() === 0 ? false : 'needs root' }, async (t) => {
      const path = join(t.testdir(), 'file');
      await write(path, 'ok', { owner: { uid: 12345, gid: 12346 }, mode: 0o600 });
      t.match(statSync(path), { uid: 12345, gid: 12346, mode: 0o100600 });
    });
    t.end();
  });
}

t.test('only a directory can be synced as one', async (t) => {
  const dir = t.testdir({ file: '' });
  chmodSync(dir, 0o700);
  await fsyncDirectory(dir);
  fsyncDirectorySync(dir);
  await t.rejects(fsyncDirectory(join(dir, 'file')), { code: 'ENOTDIR' });
  t.throws(() => fsyncDirectorySync(join(dir, 'file')), { code: 'ENOTDIR' });
});

t.test(
  'replaceLinkSync makes a link, also in place of a link or a file, and leaves nothing beside it',
  async (t) => {
    const folder = t.testdir({ file: 'text\n' });
    for (const name of ['new', 'file', 'new']) {
      replaceLinkSync(join(folder, name), `debug/${name}`);
      t.equal(readlinkSync(join(folder, name)), `debug/${name}`);
    }
    mkdirSync(join(folder, 'directory'));
    t.throws(() => replaceLinkSync(join(folder, 'directory'), 'x'), { code: 'EISDIR' });
    t.strictSame(readdirSync(folder).sort(), ['directory', 'file', 'new']);
  },
);
