import t from 'tap';
import { makeSite, start } from '../fixture/mounted.ts';
import { createUser } from '../transport/kernel/support/user.ts';

const asRoot = {
  skip: process.geteuid!() === 0 ? false : 'needs root, to change /dev in a namespace of its own',
};

/** A /dev of the command's own, with and without what FUSE needs. */
const withDev = (nodes: string) => [
  'unshare',
  '-m',
  'sh',
  '-c',
  `mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && mknod -m 666 /dev/urandom c 1 9; ${nodes} exec "$@"`,
  'sh',
];

t.test('without /dev/fuse: 69, with what to do', asRoot, async (t) => {
  const site = makeSite(t);
  const running = start(t, site, site.args, withDev(''));
  t.equal(await running.ended, 69);
  t.match(
    running.said(),
    /^cortexfs-fuse: ENOENT: \/dev\/fuse: .*\nhint: .*modprobe fuse.*; ctx mount --plain works without FUSE\n$/,
  );
});

t.test('with something else at /dev/fuse: 69, with what to do', asRoot, async (t) => {
  const site = makeSite(t);
  const running = start(t, site, site.args, withDev('mknod -m 666 /dev/fuse c 1 3;'));
  t.equal(await running.ended, 69);
  t.match(
    running.said(),
    /^cortexfs-fuse: ENODEV: \/dev\/fuse: it is not the FUSE device\nhint: .*modprobe fuse/,
  );
});

t.test('with a /dev/fuse that may not be used: 13, with what to do', asRoot, async (t) => {
  const user = createUser(t);
  const site = makeSite(t, user);
  const wrap = [...withDev('mknod -m 600 /dev/fuse c 10 229;'), ...user.command([])];
  const running = start(t, {}, site.args, wrap);
  t.equal(await running.ended, 13);
  t.match(running.said(), /^cortexfs-fuse: EACCES: \/dev\/fuse: .*\nhint: .*\/dev\/fuse.*\n$/);
});

t.test("somebody else's directory is no mount point for a user: 13", asRoot, async (t) => {
  const user = createUser(t);
  const site = makeSite(t, user);
  const other = makeSite(t);
  const running = start(t, site, [...site.args, '--mount', other.root]);
  t.equal(await running.ended, 13);
  t.match(running.said(), /EACCES: .*belongs to uid 0\nhint: mount at a directory of your own/);
});
