import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { mountsAt } from '@cortexfs/linux/mount-table';
import t from 'tap';
import { Daemon, mounted, mountPoint } from './support/daemon.ts';
import { createUser, runAs, type TestUser } from './support/user.ts';

const asRoot = { skip: process.getuid?.() === 0 ? false : 'needs root' };

t.test('mounted, unmounted, mounted again at the same place', async (t) => {
  const root = mountPoint(t);
  for (let round = 0; round < 2; round++) {
    const daemon = await mounted(t, root);
    t.match(mountsAt(root), [{ point: root, type: 'fuse.cortexfs', source: '/tmp/store' }]);
    daemon.signal('SIGUSR2');
    t.equal(await daemon.line(), 'ended unmounted');
    await daemon.exited;
    t.same(mountsAt(root), []);
    t.same(readdirSync(root), []);
  }
});

t.test('a mount in use is not unmounted, but can be detached', async (t) => {
  const root = mountPoint(t);
  const daemon = await mounted(t, root);
  writeFileSync(join(root, 'file'), 'text');
  const user = spawn('/bin/sleep', ['60'], { cwd: root });
  t.teardown(() => user.kill('SIGKILL'));
  await once(user, 'spawn');

  daemon.signal('SIGUSR2');
  t.equal(await daemon.line(), 'error EBUSY');
  t.equal(readFileSync(join(root, 'file'), 'utf8'), 'text', 'it goes on being served');

  const fd = openSync(join(root, 'whoami'), 'r');
  daemon.signal('SIGTERM');
  t.match(await daemon.line(), /^ended (stopped|unmounted)$/);
  await daemon.exited;
  t.same(mountsAt(root), []);
  t.throws(() => readSync(fd, Buffer.alloc(10)), { code: /ENOTCONN|ECONNABORTED|EIO/ });
  t.notOk(existsSync(join(root, 'file')));
});

t.test('unmounted by somebody else, the daemon ends', asRoot, async (t) => {
  const root = mountPoint(t);
  const daemon = await mounted(t, root);
  spawn('umount', [root]);
  t.equal(await daemon.line(), 'ended unmounted');
});

t.test('after kill -9 the next start takes the dead mount away; a living one is left alone', async (t) => {
  const root = mountPoint(t);
  const first = await mounted(t, root);
  const second = new Daemon(root);
  t.match(await second.line(), /^error EBUSY CortexFS is already mounted here \(of \/tmp\/store\)/);
  await second.exited;
  statSync(root);

  first.signal('SIGKILL');
  await first.exited;
  t.throws(() => statSync(join(root, 'whoami')), { code: 'ENOTCONN' });
  const third = await mounted(t, root);
  t.match(readFileSync(join(root, 'whoami'), 'utf8'), /"uid"/);
  t.equal(mountsAt(root).length, 1, 'the dead one is gone');
  third.signal('SIGTERM');
  t.match(await third.line(), /^ended/);
});

t.test('killed under load: readers get an error, none hangs, the next start works', async (t) => {
  const root = mountPoint(t);
  const daemon = await mounted(t, root, { ttl: 0 });
  const loop = `while cat ${root}/whoami >/dev/null 2>&1; do :; done`;
  const readers = [1, 2, 3, 4].map(() => spawn('/bin/sh', ['-c', loop]));
  const ends = readers.map((reader) => once(reader, 'exit'));
  await new Promise((r) => setTimeout(r, 200));
  t.ok(readers.every(({ exitCode }) => exitCode === null));
  daemon.signal('SIGKILL');
  await Promise.all(ends);
  await mounted(t, root);
  t.match(readFileSync(join(root, 'whoami'), 'utf8'), /"uid"/);
});

t.test('the process can exit at any time, although its serving thread waits in the kernel', async (t) => {
  const root = mountPoint(t);
  const daemon = await mounted(t, root);
  daemon.signal('SIGHUP');
  await daemon.exited;
  t.equal(daemon.process.exitCode, 7);
  t.throws(() => statSync(join(root, 'whoami')), { code: 'ENOTCONN' });
});

t.test('a fault that ends the serving thread takes the mount away', async (t) => {
  const root = mountPoint(t);
  const daemon = await mounted(t, root);
  t.throws(() => symlinkSync('x', join(root, 'crash')), { code: /ENOTCONN|ECONNABORTED|EIO/ });
  t.equal(await daemon.line(), 'ended failed EIO the serving thread ended');
  await daemon.exited;
  t.same(mountsAt(root), []);
});

t.test('what cannot be mounted is one clear error, and leaves nothing mounted', async (t) => {
  const root = mountPoint(t);
  const say = (path: string, options = {}) => new Daemon(path, options).line();
  t.match(await say(root, { broken: true }), /^error EIO .*the store is broken/);
  t.same(mountsAt(root), []);
  t.match(await say(join(root, 'missing')), /^error ENOENT/);
  t.match(await say(join(root, 'no/such/parent')), /^error ENOENT/);
  writeFileSync(join(root, 'file'), '');
  t.match(await say(join(root, 'file')), /^error ENOTDIR/);
  mkdirSync(join(root, 'dir'));
  symlinkSync('dir', join(root, 'link'));
  t.match(await say(join(root, 'link')), /^error ENOTDIR/);
});

t.test('a mount point with blanks, commas and other signs', async (t) => {
  const root = join(mountPoint(t), 'a b,c\\d"é');
  mkdirSync(root);
  const daemon = await mounted(t, root);
  t.ok(readdirSync(root).includes('whoami'));
  daemon.signal('SIGUSR2');
  t.equal(await daemon.line(), 'ended unmounted');
});

t.test('an unprivileged user mounts, uses and unmounts without help', asRoot, async (t) => {
  // Normal machines let every user open it; this only gives what they have.
  chmodSync('/dev/fuse', 0o666);
  const user = createUser(t);
  const stranger = createUser(t);
  const root = mountPoint(t, user);
  const daemon = await mounted(t, root, {}, user);
  t.match(JSON.parse(runAs(user, 'cat', `${root}/whoami`).output), { uid: user.uid, gid: user.gid });
  const others = new Daemon(mountPoint(t, user), { allowOther: true }, user);
  if (!/^user_allow_other/m.test(readFileSync('/etc/fuse.conf', 'utf8'))) {
    t.match(await others.line(), /^error EACCES .*user_allow_other.* hint: .*\/etc\/fuse.conf/);
  }
  others.signal('SIGTERM');
  const script = 'cd "$0" && printf "#!/bin/sh\\necho ran" > s && chmod +x s && ./s';
  t.same(runAs(user, 'sh', '-c', script, root), { status: 0, output: 'ran\n' });
  t.match(runAs(stranger, 'ls', root), { status: 2, output: /Permission denied/ });
  t.throws(() => readdirSync(root), { code: 'EACCES' }, 'root neither: it is the user’s own mount');

  daemon.signal('SIGKILL');
  await daemon.exited;
  t.match(runAs(user, 'ls', root).output, /Transport endpoint is not connected/);
  const next = await mounted(t, root, {}, user);
  t.match(runAs(user, 'ls', root).output, /whoami/);

  const [program = '', ...args] = user.command(['sh', '-c', `exec sleep 60 < ${root}/whoami`]);
  const holder = spawn(program, args, { cwd: '/' });
  t.teardown(() => holder.kill('SIGKILL'));
  while (readFileSync(`/proc/${holder.pid}/comm`, 'utf8') !== 'sleep\n')
    await new Promise((r) => setTimeout(r, 10));
  next.signal('SIGUSR2');
  t.equal(await next.line(), 'error EBUSY');
  next.signal('SIGTERM');
  t.match(await next.line(), /^ended/);
  await next.exited;
  t.same(mountsAt(root), []);
});

t.test('without a device that may be opened the error says what to do', asRoot, async (t) => {
  const user = createUser(t);
  const root = mountPoint(t, user);
  // In mount namespaces of their own, so that the machine's device stays as it is.
  const after = (change: string): TestUser => ({
    ...user,
    command: (command) => [
      'unshare',
      '-m',
      'sh',
      '-c',
      `${change} && exec "$@"`,
      'sh',
      ...user.command(command),
    ],
  });
  const node = `${root}/fuse`;
  const locked = after(`mknod -m 600 ${node} c 10 229 && mount --bind ${node} /dev/fuse`);
  t.match(await new Daemon(root, {}, locked).line(), /^error EACCES .* hint: sudo chmod 666 \/dev\/fuse/);
  const missing = after('mount -t tmpfs none /dev');
  t.match(await new Daemon(root, {}, missing).line(), /^error ENOENT .* hint: sudo modprobe fuse/);
});
