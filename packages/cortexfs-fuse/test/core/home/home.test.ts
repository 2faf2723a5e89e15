import { constants, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openStore } from '../../fixture/client.ts';

const self = process.geteuid!();
const HOME = `home/${self}`;

t.test('a home is an ordinary tree, bytes passing through', async (t) => {
  const { store, client } = openStore(t);
  client.mkdir(`${HOME}/dir`);
  client.create(`${HOME}/dir/file`, 'hello');
  t.equal(readFileSync(join(store.source, HOME, 'dir/file'), 'utf8'), 'hello');
  t.equal(client.read(`${HOME}/dir/file`), 'hello');
  client.write(`${HOME}/dir/file`, 'bye');
  t.equal(client.read(`${HOME}/dir/file`), 'bye');
  const { handle, fd } = client.fs.open(client.context, client.node(`${HOME}/dir/file`), constants.O_RDONLY);
  t.type(fd, 'number', 'the transport may use the descriptor itself');
  client.fs.release(0, handle);
  client.symlink('file', `${HOME}/dir/link`);
  t.equal(client.readlink(`${HOME}/dir/link`), 'file');
  client.rename(`${HOME}/dir`, `${HOME}/moved`);
  t.strictSame(client.list(`${HOME}/moved`), ['file', 'link']);
  t.throws(() => client.rmdir(`${HOME}/moved`), { code: 'ENOTEMPTY' });
  t.throws(() => client.unlink(`${HOME}/moved`), { code: /EISDIR|EPERM/ });
  client.unlink(`${HOME}/moved/link`);
  client.unlink(`${HOME}/moved/file`);
  client.rmdir(`${HOME}/moved`);
  t.throws(() => client.entry(`${HOME}/moved`), { code: 'ENOENT' });
});

t.test('chmod, times to the nanosecond, truncate', async (t) => {
  const { client } = openStore(t);
  client.create(`${HOME}/f`, '0123456789', 0o600);
  t.equal(client.stat(`${HOME}/f`).mode & 0o7777, 0o600);
  const attr = client.chmod(`${HOME}/f`, {
    mode: 0o640,
    atime: 1n,
    mtime: 1_700_000_000_123_456_789n,
    size: 4,
  });
  t.match(attr, { atimeNs: 1n, mtimeNs: 1_700_000_000_123_456_789n, size: 4 });
  t.equal(attr.mode & 0o7777, 0o640);
  t.equal(
    client.chmod(`${HOME}/f`, { atime: -5n }).mtimeNs,
    attr.mtimeNs,
    'one time leaves the other exactly',
  );
  t.ok(client.chmod(`${HOME}/f`, { mtime: 'now' }).mtimeNs > attr.mtimeNs);
  client.symlink('/etc/passwd', `${HOME}/l`);
  const before = statSync('/etc/passwd').mode;
  t.throws(() => client.chmod(`${HOME}/l`, { mode: 0o777 }), 'nothing through a link');
  t.equal(statSync('/etc/passwd').mode, before);
});

t.test('hard links are one node; a file lives on while it is open', async (t) => {
  const { client } = openStore(t);
  const node = client.create(`${HOME}/a`, 'text');
  t.equal(client.link(`${HOME}/a`, `${HOME}/b`), node);
  t.equal(client.stat(`${HOME}/b`).nlink, 2);
  client.unlink(`${HOME}/a`);
  t.equal(client.fs.getattr(client.context, node).attr.nlink, 1, 'found by its other name');
  const { handle } = client.fs.open(client.context, node, constants.O_RDWR);
  client.unlink(`${HOME}/b`);
  t.equal(client.fs.getattr(client.context, node).attr.nlink, 0);
  t.equal(client.fs.read(client.context, node, handle, 0, 10).toString(), 'text');
  client.fs.setattr(client.context, node, { mode: 0o600 });
  client.fs.release(node, handle);
  t.match(
    client.fs.getattr(client.context, node).attr,
    { nlink: 0, size: 4 },
    'for who holds it by O_PATH alone',
  );
  t.throws(() => client.fs.open(client.context, node, constants.O_RDONLY), { code: 'ESTALE' });
});

t.test('rename with flags: not over something, or an exchange', async (t) => {
  const { client } = openStore(t);
  client.create(`${HOME}/a`, 'A');
  client.create(`${HOME}/b`, 'B');
  t.throws(() => client.rename(`${HOME}/a`, `${HOME}/b`, 1), { code: 'EEXIST' });
  client.rename(`${HOME}/a`, `${HOME}/b`, 2);
  t.equal(client.read(`${HOME}/a`), 'B');
  t.equal(client.read(`${HOME}/b`), 'A');
  t.throws(() => client.rename(`${HOME}/a`, `${HOME}/b`, 4), { code: 'EINVAL' });
});

t.test('nodes below a renamed directory stay reachable', async (t) => {
  const { client } = openStore(t);
  client.mkdir(`${HOME}/a`);
  client.mkdir(`${HOME}/a/b`);
  const node = client.create(`${HOME}/a/b/c`, 'deep');
  client.rename(`${HOME}/a`, `${HOME}/x`);
  t.equal(client.fs.getattr(client.context, node).attr.size, 4);
  const { handle } = client.fs.open(client.context, node, constants.O_RDONLY);
  client.fs.release(node, handle);
});

t.test("another user's home cannot be entered; root's view of it is Linux's affair", async (t) => {
  const { store, client } = openStore(t, { allowOther: true });
  mkdirSync(join(store.source, 'home/4242'), { mode: 0o777 });
  writeFileSync(join(store.source, 'home/4242/secret'), 'x');
  const other = client.as(4243);
  t.equal(client.stat('home/4242').mode & 0o077, 0, 'also the kernel lets nobody else in');
  t.throws(() => other.entry('home/4242/secret'), { code: 'EACCES', layer: 'credentials' });
  t.throws(() => other.list('home/4242'), { code: 'EACCES' });
  t.equal(client.as(4242).read('home/4242/secret'), 'x');
});

t.test('users make their own home and nothing else beside it', async (t) => {
  const { store, client } = openStore(t, { allowOther: true });
  const user = client.as(4242);
  user.mkdir('home/4242', 0o777);
  const made = lstatSync(join(store.source, 'home/4242'));
  t.equal(made.mode & 0o777, 0o700);
  if (self === 0) t.equal(made.uid, 4242, 'it is theirs');
  t.throws(() => user.mkdir('home/4243'), { code: 'EPERM' });
  t.throws(() => client.create('home/x'), { code: /EPERM|ENOENT/ });
  t.throws(() => client.rename(HOME, 'home/77'), { code: 'EPERM' });
  t.throws(() => client.rmdir(HOME), { code: 'EPERM' });
});

t.test(
  'what is created belongs to who asked, in set-group-id directories to the group',
  { skip: self !== 0 && 'only root can give files away' },
  async (t) => {
    const { store, client } = openStore(t, { allowOther: true });
    const user = client.as(4242);
    user.mkdir('home/4242');
    user.create('home/4242/f', 'x', 0o4640);
    const file = lstatSync(join(store.source, 'home/4242/f'));
    t.match(
      { uid: file.uid, gid: file.gid, mode: file.mode & 0o7777 },
      { uid: 4242, gid: 4242, mode: 0o4640 },
    );
    user.symlink('f', 'home/4242/l');
    t.equal(lstatSync(join(store.source, 'home/4242/l')).uid, 4242);
    user.mkdir('home/4242/d', 0o755);
    user.chmod('home/4242/d', { mode: 0o2775, gid: 99 });
    user.chmod('home/4242/d', { mode: 0o2775 });
    user.create('home/4242/d/g');
    user.mkdir('home/4242/d/sub', 0o755);
    t.equal(lstatSync(join(store.source, 'home/4242/d/g')).gid, 99);
    t.match(lstatSync(join(store.source, 'home/4242/d/sub')), { uid: 4242, gid: 99 });
    t.equal(lstatSync(join(store.source, 'home/4242/d/sub')).mode & 0o7777, 0o2755);
  },
);

t.test('pipes and sockets can be made, devices by uid 0 alone and not from inside a view', async (t) => {
  const { store, client } = openStore(t);
  const parent = client.node(HOME);
  client.fs.mknod(client.context, parent, 'pipe', constants.S_IFIFO | 0o600, 0);
  client.fs.mknod(client.context, parent, 'plain', constants.S_IFREG | 0o600, 0);
  t.ok(lstatSync(join(store.source, HOME, 'pipe')).isFIFO());
  t.ok(lstatSync(join(store.source, HOME, 'plain')).isFile());
  const refused = { code: 'EPERM' };
  const device = constants.S_IFCHR | 0o666;
  t.throws(() => client.fs.mknod(client.as(4242).context, parent, 'dev', device, 0x103), refused);
  const inView = client.node(`.view/coder/${HOME}/agent/coder`);
  t.throws(() => client.fs.mknod(client.as(0).context, inView, 'dev', device, 0x103), refused);
  t.throws(() => client.read(`${HOME}/pipe`), { code: 'EACCES' }, 'and opening one here never waits');
});

t.test('links and renames do not cross between homes and shared spaces', async (t) => {
  const { client } = openStore(t);
  client.create(`${HOME}/f`, 'x');
  t.throws(() => client.rename(`${HOME}/f`, 'shared/notes/f'), { code: 'EXDEV' });
  t.throws(() => client.link(`${HOME}/f`, 'shared/notes/f'), { code: 'EXDEV' });
});

t.test(
  'installed tools in a home are projected and stay where they are; own scripts are plain files',
  async (t) => {
    const { store, client } = openStore(t);
    client.create(`${HOME}/tool/script`, '#!/bin/sh\necho mine\n', 0o755);
    t.match(client.read(`${HOME}/tool/script`), /echo mine/);
    store.write(`${HOME}/tool/plug`, 'secret bytes', 0o755);
    store.write(`${HOME}/tool/plug.d/.cortexfs-receipt.json`, '{}');
    store.write(`${HOME}/tool/plug.d/policy`, '');
    store.write(`${HOME}/tool/.cortexfs-install-1/x`, '');
    t.strictSame(client.list(`${HOME}/tool`), ['plug', 'plug.d', 'script']);
    t.notMatch(client.read(`${HOME}/tool/plug`), /secret/);
    t.strictSame(client.list(`${HOME}/tool/plug.d`), ['log', 'policy', 'status']);
    client.write(`${HOME}/tool/plug.d/policy`, 'allow coder_t tool:plug execute\n');
    t.throws(() => client.rename(`${HOME}/tool/plug`, `${HOME}/tool/plain`), { code: 'EPERM' });
    t.throws(() => client.rename(`${HOME}/tool/plug.d`, `${HOME}/tool/other.d`), { code: 'EPERM' });
    t.throws(() => client.rename(`${HOME}/tool`, `${HOME}/bare`), { code: 'EPERM' });
    t.throws(() => client.link(`${HOME}/tool/plug`, `${HOME}/bare`), { code: 'EXDEV' });
    t.throws(() => client.unlink(`${HOME}/tool/plug`), {
      code: 'EPERM',
      hint: 'ctx object uninstall tool plug',
    });
  },
);

t.test('shared spaces are directories that stay, and ordinary inside', async (t) => {
  const { client } = openStore(t);
  t.strictSame(client.list('shared'), ['notes', 'secret']);
  client.create('shared/notes/new', 'x');
  client.rename('shared/notes/new', 'shared/notes/newer');
  client.mkdir('shared/third');
  client.rmdir('shared/third');
  t.throws(() => client.create('shared/file'), { code: 'EPERM' });
  t.throws(() => client.symlink('/', 'shared/link'), { code: 'EPERM' });
  t.throws(() => client.rename('shared/notes', 'shared/x'), { code: 'EPERM' });
  t.throws(() => client.rename('shared/notes/newer', 'shared/secret/newer'), { code: 'EXDEV' });
});

t.test('nobody can open their home to others, in the store neither', async (t) => {
  const { store, client } = openStore(t);
  t.equal(client.chmod(HOME, { mode: 0o777 }).mode & 0o7777, 0o700);
  t.equal(statSync(join(store.source, HOME)).mode & 0o7777, 0o700);
});
