import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, publishedBin, shell, start, stop } from '../fixture/mounted.ts';
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

onEachTransport('without /dev/fuse: 69, with what to do', asRoot, async (t, transport) => {
  const site = makeSite(t, { transport });
  const running = start(t, site, site.args, withDev(''));
  t.equal(await running.ended, 69);
  t.match(
    running.said(),
    /^cortexfs-fuse: ENOENT: \/dev\/fuse: .*\nhint: .*modprobe fuse.*; ctx mount --plain works without FUSE\n$/,
  );
});

onEachTransport('with something else at /dev/fuse: 69, with what to do', asRoot, async (t, transport) => {
  const site = makeSite(t, { transport });
  const running = start(t, site, site.args, withDev('mknod -m 666 /dev/fuse c 1 3;'));
  t.equal(await running.ended, 69);
  t.match(
    running.said(),
    /^cortexfs-fuse: ENODEV: \/dev\/fuse: it is not the FUSE device\nhint: .*modprobe fuse/,
  );
});

onEachTransport(
  'with a /dev/fuse that may not be used: 13, with what to do',
  asRoot,
  async (t, transport) => {
    const user = createUser(t);
    const site = makeSite(t, { transport, user });
    const wrap = [...withDev('mknod -m 600 /dev/fuse c 10 229;'), ...user.command([])];
    const running = start(t, {}, site.args, wrap);
    t.equal(await running.ended, 13);
    t.match(running.said(), /^cortexfs-fuse: EACCES: \/dev\/fuse: .*\nhint: .*\/dev\/fuse.*\n$/);
  },
);

onEachTransport(
  "somebody else's directory is no mount point for a user: 13",
  asRoot,
  async (t, transport) => {
    const user = createUser(t);
    const site = makeSite(t, { transport, user });
    const other = makeSite(t, { transport });
    const running = start(t, site, [...site.args, '--mount', other.root]);
    t.equal(await running.ended, 13);
    t.match(running.said(), /EACCES: .*belongs to uid 0\nhint: mount at a directory of your own/);
  },
);

/** A view of the machine without libfuse 2, as one that has only fuse3; optionally without the copy beside fuse-native. */
function withoutLibfuse(more = ''): string[] {
  const hide = `mount -t tmpfs none /mnt && mkdir /mnt/upper /mnt/work && d=$(dirname "$(readlink -f "$1")") &&
    mount -t overlay none -o lowerdir="$d",upperdir=/mnt/upper,workdir=/mnt/work "$d" && rm -f "$d"/libfuse.so.2*`;
  const script = `set -- "$(ldconfig -p | sed -n 's/.*libfuse.so.2 .*=> //p' | head -1)" "$@"
    if [ -n "$1" ]; then ${hide}; fi && shift; ${more} exec "$@"`;
  return ['unshare', '-m', 'sh', '-c', script, 'sh'];
}

t.test('fuse-native needs no libfuse 2 on the machine, also as a user', asRoot, async (t) => {
  const user = createUser(t);
  const site = makeSite(t, { user });
  const wrap = [...withoutLibfuse(), ...user.command([])];
  const running = start(t, {}, [...site.args, '--transport', 'fuse-native'], wrap);
  const inNamespace = async (command: string) =>
    (
      await shell(
        `nsenter -t ${running.process.pid} -m ${user.command(['sh', '-c', `'${command}'`]).join(' ')}`,
      )
    ).stdout;
  while (!existsSync(join(site.store.runtime, 'mount.json')) && running.process.exitCode === null)
    await sleep(20);
  t.equal(await inNamespace('ls /usr/lib/*/libfuse.so.2 2>/dev/null'), '', 'the library really is not there');
  t.equal(await inNamespace(`cat ${site.root}/status`), 'ready\n');
  t.equal(await stop(running), 0);
});

t.test('without libfuse 2 and without its copy: 69, and the package to install', asRoot, async (t) => {
  const site = makeSite(t);
  const copy = libfuseCopy();
  const running = start(
    t,
    site,
    [...site.args, '--transport', 'fuse-native'],
    withoutLibfuse(`mount -t tmpfs none ${copy};`),
  );
  t.equal(await running.ended, 69);
  t.match(
    running.said(),
    /^cortexfs-fuse: ENOENT: libfuse\.so\.2: .*apt-get install libfuse2\nhint: .*--transport kernel.*\n$/,
  );
});

function libfuseCopy(): string {
  return join(dirname(publishedBin()), 'node_modules/fuse-shared-library-linux/libfuse/lib');
}
