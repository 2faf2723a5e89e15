import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { KeptNodes } from '../../../src/transport/native/kept-nodes.ts';
import { owner } from '../../../src/transport/native/owner.ts';
import { PathFileSystem } from '../../../src/transport/native/path-file-system.ts';
import { MemoryFileSystem, type MemoryOptions } from '../kernel/support/memory-file-system.ts';

function make(options: MemoryOptions & { most?: number } = {}) {
  const memory = new MemoryFileSystem(options);
  const files = new PathFileSystem(memory, owner(), new KeptNodes(memory, options.most));
  return { memory, files };
}

function put(files: PathFileSystem, path: string, text: string): void {
  const file = files.create(path, 0o644);
  files.write(file, Buffer.from(text), 0);
  files.flush(file);
  files.release(file);
}

function get(files: PathFileSystem, path: string): string {
  const file = files.open(path, 0);
  const target = Buffer.alloc(100);
  const count = files.read(file, target, 0);
  files.release(file);
  return target.toString('utf8', 0, count);
}

t.test('paths lead to what names lead to', async (t) => {
  const { files } = make();
  files.mkdir('/a', 0o755);
  files.mkdir('/a/b', 0o755);
  put(files, '/a/b/f', 'text');
  t.equal(get(files, '/a/b/f'), 'text');
  files.link('/a/b/f', '/a/g');
  t.equal(files.getattr('/a/g').nlink, 2);
  files.rename('/a/b', '/c');
  t.equal(get(files, '/c/f'), 'text');
  files.symlink('c/f', '/l');
  t.equal(files.readlink('/l'), 'c/f');
  t.strictSame(
    files.readdir('/').map(({ name }) => name),
    ['.', '..', 'whoami', 'a', 'c', 'l'],
  );
  files.setattr('/c/f', { size: 2, mode: 0o600 });
  t.equal(get(files, '/c/f'), 'te');
  files.unlink('/c/f');
  files.rmdir('/c');
  t.throws(() => files.getattr('/c'), { code: 'ENOENT' });
  t.equal(files.statfs('/').nameMax, 255);
  t.equal(files.getattr('/').mode, 0o040755);
});

t.test('everybody who asks is the owner', async (t) => {
  const { files } = make();
  t.match(JSON.parse(get(files, '/whoami')), { uid: process.geteuid!(), gid: process.getegid!(), pid: 0 });
});

t.test('names that are not UTF-8, and the root as a name, are refused', async (t) => {
  const { files } = make();
  t.throws(() => files.mkdir('/\uFFFD', 0o755), { code: 'EILSEQ' });
  t.throws(() => files.getattr('/a/\uFFFD/b'), { code: 'EILSEQ' });
  t.throws(() => files.rmdir('/'), { code: 'EBUSY' });
});

t.test('open files have small numbers, used again, and are their own after a rename', async (t) => {
  const { files, memory } = make();
  put(files, '/f', 'one');
  const [first, second] = [files.open('/f', 0), files.open('/f', 0)];
  t.strictSame([first, second], [1, 2]);
  files.release(first);
  t.equal(files.open('/f', 0), 1);
  files.rename('/f', '/g');
  files.fsetattr(second, { size: 1 });
  t.equal(files.fgetattr(second).size, 1);
  for (const number of [0, 3, -1]) t.throws(() => files.read(number, Buffer.alloc(1), 0), { code: 'EBADF' });
  for (const number of [1, 2, 2, 77]) files.release(number);
  t.equal(memory.handles.size, 0);
});

t.test('bytes of a real file go between the buffer and its descriptor; fsync does not block', async (t) => {
  const real = join(t.testdir({ real: randomBytes(10_000) }), 'real');
  const { files } = make({ backed: { real } });
  const file = files.open('/real', 0);
  const target = Buffer.alloc(4096);
  t.equal(files.read(file, target, 8000), 2000);
  t.ok(target.subarray(0, 2000).equals(readFileSync(real).subarray(8000)));
  files.write(file, Buffer.from('new'), 0);
  t.equal(readFileSync(real).toString('latin1', 0, 3), 'new');
  const done = files.fsync(file, true);
  t.ok(done instanceof Promise);
  await done;
  files.release(file);
});

t.test('attributes by their names', async (t) => {
  const { files } = make();
  files.setxattr('/whoami', 'user.a', Buffer.from('1'), 0);
  files.setxattr('/whoami', 'user.é', Buffer.from('2'), 0);
  t.equal(files.listxattr('/whoami').toString(), 'user.a\0user.é\0');
  t.equal(files.getxattr('/whoami', 'user.a').toString(), '1');
  files.removexattr('/whoami', 'user.a');
  t.throws(() => files.getxattr('/whoami', 'user.a'), { code: 'ENODATA' });
});

t.test('lookup counts: one a node kept, none lost, and those of open files stay', async (t) => {
  const { files, memory } = make({ most: 3 });
  const counts = () => [...memory.nodes.values()].map(({ lookups }) => lookups);
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    put(files, `/${name}`, name);
    files.requestEnds();
  }
  const open = files.open('/a', 0);
  for (let round = 0; round < 3; round++)
    for (const name of ['b', 'c', 'd', 'e', 'b']) {
      t.equal(files.getattr(`/${name}`).size, 1);
      files.requestEnds();
    }
  t.ok(counts().every((count) => count === 0 || count === 1));
  t.equal(
    counts().reduce((sum, count) => sum + count, 0),
    3,
  );
  t.equal(
    memory.nodes.get(memory.lookup(owner(), 1, 'a').node)?.lookups,
    2,
    'ours and the one of the open file',
  );
  files.release(open);
  for (const name of ['c', 'd', 'e']) {
    files.getattr(`/${name}`);
    files.requestEnds();
  }
  t.equal(memory.nodes.get(memory.lookup(owner(), 1, 'a').node)?.lookups, 2, 'ours only');
});

t.test('a path of many names is walked although fewer nodes are kept', async (t) => {
  const { files } = make({ most: 2 });
  let path = '';
  for (let depth = 0; depth < 50; depth++) {
    path += '/d';
    files.mkdir(path, 0o755);
    files.requestEnds();
  }
  put(files, `${path}/f`, 'deep');
  files.requestEnds();
  t.equal(get(files, `${path}/f`), 'deep');
});

const HIDDEN = '.fuse_hidden0000000a00000001';

t.test('an open file is hidden before it is removed, and gone when it is closed', async (t) => {
  const { files } = make();
  put(files, '/f', 'one');
  const open = files.open('/f', 0);
  files.rename('/f', `/${HIDDEN}`);
  t.throws(() => files.getattr('/f'), { code: 'ENOENT' });
  t.equal(files.getattr(`/${HIDDEN}`).size, 3);
  files.release(open);
  files.unlink(`/${HIDDEN}`);
  t.throws(() => files.getattr(`/${HIDDEN}`), { code: 'ENOENT' });
});

t.test('a refused rename over an open file costs nothing', async (t) => {
  const { files } = make();
  put(files, '/f', 'one');
  const open = files.open('/f', 0);
  files.rename('/f', `/${HIDDEN}`);
  t.throws(() => files.rename('/missing', '/f'), { code: 'ENOENT' });
  t.equal(get(files, '/f'), 'one');
  files.release(open);
});

t.test('after a removal a refused rename brings nothing back', async (t) => {
  const { files } = make();
  put(files, '/f', 'one');
  files.open('/f', 0);
  files.rename('/f', `/${HIDDEN}`);
  t.throws(() => files.getattr('/f'), { code: 'ENOENT' });
  t.throws(() => files.rename('/missing', '/f'), { code: 'ENOENT' });
  t.throws(() => files.getattr('/f'), { code: 'ENOENT' });
});

t.test('an open control keeps its name until another takes it, or until it is closed', async (t) => {
  const control = () => {
    const { files } = make();
    put(files, '/control', 'old');
    files.setxattr('/control', 'user.cortexfs.kind', Buffer.from('ctx.agent.control'), 0);
    const open = files.open('/control', 0);
    files.rename('/control', `/${HIDDEN}`);
    t.equal(get(files, '/control'), 'old', 'the others see it');
    t.equal(files.getattr(`/${HIDDEN}`).size, 3, 'who has it open too');
    return { files, close: () => files.release(open) };
  };
  const replaced = control();
  put(replaced.files, '/new', 'longer');
  replaced.files.rename('/new', '/control');
  replaced.close();
  t.throws(() => replaced.files.unlink(`/${HIDDEN}`), { code: 'ENOENT' });
  t.equal(get(replaced.files, '/control'), 'longer');

  const removed = control();
  removed.close();
  removed.files.unlink(`/${HIDDEN}`);
  t.throws(() => removed.files.getattr('/control'), { code: 'ENOENT' });

  const writtenAgain = control();
  writtenAgain.files.release(writtenAgain.files.open('/control', 1));
  writtenAgain.close();
  t.throws(() => writtenAgain.files.unlink(`/${HIDDEN}`), { code: 'ENOENT' });
  t.equal(get(writtenAgain.files, '/control'), 'old');
});

t.test('a directory with open files in it keeps its name, even where nothing is left in it', async (t) => {
  const { files, memory } = make();
  files.mkdir('/d', 0o755);
  files.mkdir('/e', 0o755);
  put(files, '/d/f', 'one');
  const open = files.open('/d/f', 0);
  memory.unlink(owner(), memory.lookup(owner(), 1, 'd').node, 'f');
  t.throws(() => files.rmdir('/d'), { code: 'ENOTEMPTY' });
  t.throws(() => files.rename('/e', '/d'), { code: 'ENOTEMPTY' });
  files.rename('/d', '/c');
  t.throws(() => files.rmdir('/c'), { code: 'ENOTEMPTY' });
  files.release(open);
  files.rmdir('/c');
});
