import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseMountReceipt } from '@cortexfs/abi/receipt/mount';
import { isAlive } from '@cortexfs/linux/process';
import t from 'tap';
import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, mounted, shell, start, stop, unmount } from '../fixture/mounted.ts';

onEachTransport('serves, says so in its receipt, and leaves nothing behind', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const running = await mounted(t, site);
  const receipt = parseMountReceipt(readFileSync(join(site.store.runtime, 'mount.json'), 'utf8'));
  t.match(receipt, {
    pid: running.process.pid,
    source: site.store.source,
    root: site.root,
    transport,
    uid: process.geteuid!(),
  });
  t.ok(isAlive(receipt.pid, receipt.start_time));
  t.strictSame(
    readdirSync(site.root),
    ['agent', 'bin', 'home', 'model', 'shared', 'status', 'tool'],
    'in the order of names',
  );
  t.equal(await stop(running), 0);
  t.notOk(existsSync(join(site.store.runtime, 'mount.json')));
  t.strictSame(readdirSync(site.root), []);
  t.equal(running.said(), '', 'nothing to complain of');
});

onEachTransport('SIGINT ends it with 130; somebody else unmounting, with 0', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  t.equal(await stop(await mounted(t, site), 'SIGINT'), 130);
  const again = await mounted(t, site);
  t.ok(unmount(site.root));
  t.equal(await again.ended, 0);
  t.notOk(existsSync(join(site.store.runtime, 'mount.json')));
});

onEachTransport('is taken away from those who still use it', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const running = await mounted(t, site);
  const user = spawn('sleep', ['60'], { cwd: site.root });
  await new Promise((resolve) => user.once('spawn', resolve));
  t.equal(await stop(running), 0);
  t.match(running.said(), /SIGTERM: .*in use/);
  user.kill();
});

onEachTransport(
  'a killed mount is dead for its users, and the next start recovers',
  {},
  async (t, transport) => {
    const site = makeSite(t, { transport });
    const first = await mounted(t, site);
    first.process.kill('SIGKILL');
    t.equal(await first.ended, 'SIGKILL');
    t.throws(() => readdirSync(site.root), { code: 'ENOTCONN' });
    rmSync(join(site.store.runtime, 'mount.json'));
    const second = await mounted(t, site);
    t.equal(readFileSync(join(site.root, 'status'), 'utf8'), 'ready\n');
    t.equal(await stop(second), 0);
  },
);

onEachTransport('one mount a runtime directory, one a mount point', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const other = makeSite(t, { transport });
  const running = await mounted(t, site);
  const sameRuntime = start(t, site, [...site.args, '--mount', other.root]);
  t.equal(await sameRuntime.ended, 1);
  t.match(sameRuntime.said(), /^cortexfs-fuse: EBUSY: .*\nhint: ctx umount/);
  const sameRoot = start(t, site, [...site.args, '--runtime', other.store.runtime]);
  t.equal(await sameRoot.ended, 1);
  t.match(sameRoot.said(), /EBUSY: .*already mounted/);
  t.equal(await stop(running), 0);
});

onEachTransport('two started at once: one serves, the other says why not', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const both = [start(t, site, site.args), start(t, site, site.args)];
  const loser = await Promise.race(both.map((running) => running.ended.then(() => running)));
  t.match(loser.said(), /EBUSY/);
  const winner = both.find((running) => running !== loser)!;
  while (!existsSync(join(site.store.runtime, 'mount.json'))) await sleep(20);
  t.equal((await shell(`cat ${site.root}/status`)).stdout, 'ready\n');
  t.equal(await stop(winner), 0);
});

t.test('what cannot be mounted is refused with a reason, a hint and the right code', async (t) => {
  const site = makeSite(t);
  const full = join(site.store.base, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'file'), 'x');
  const cases: [string, string[], number, RegExp][] = [
    ['not empty', ['--mount', full], 2, /ENOTEMPTY: .*full: .*\nhint: mount at an empty directory/],
    ['a file', ['--mount', join(full, 'file')], 2, /ENOTDIR: /],
    ['no such directory', ['--mount', '/nonexistent/x'], 2, /ENOENT: \/nonexistent/],
    ['no store', ['--source', join(site.store.base, 'nosuch')], 2, /ENOENT: .*nosuch.*\nhint: ctx bootstrap/],
    ['a store that is a file', ['--source', join(full, 'file')], 2, /ENOTDIR: .*not a directory/],
    [
      'inside the store',
      ['--mount', join(site.store.source, 'bin/..', 'shared/notes/empty')],
      2,
      /EINVAL: .*within each other/,
    ],
    ['relative', ['--mount', 'here'], 2, /EINVAL: --mount must be an absolute path/],
    ['a runner that exec cannot find', ['--runner', '/a b'], 2, /EINVAL: .*without blanks/],
    ['an unknown transport', ['--transport', 'pigeon'], 2, /EINVAL: unknown transport "pigeon"/],
    [
      'several users on the transport that cannot tell them apart',
      ['--transport', 'fuse-native', '--allow-other'],
      69,
      /ENOTSUP: .*cannot tell who asks.*\nhint: use --transport kernel/,
    ],
    ['an unknown option', ['--fast'], 2, /EINVAL: .*--fast.*\nhint: cortexfs-fuse --help/],
  ];
  mkdirSync(join(site.store.source, 'shared/notes/empty'));
  for (const [what, args, code, said] of cases) {
    const running = start(t, site, [...site.args, ...args]);
    t.equal(await running.ended, code, what);
    t.match(running.said(), said, what);
    t.equal(running.said().trimEnd().split('\n').length <= 2, true, `${what}: one line and a hint`);
  }
  const missing = start(t, site, ['--source', '/x']);
  t.equal(await missing.ended, 2);
  t.match(missing.said(), /EINVAL: --runner is missing/);
});

t.test('help and version need nothing', async (t) => {
  const help = start(t, {}, ['--help']);
  t.equal(await help.ended, 0);
  t.match(help.said(), /^usage: cortexfs-fuse [\s\S]*exit codes/);
  const version = start(t, {}, ['--version']);
  t.equal(await version.ended, 0);
  t.equal(version.said(), 'cortexfs-fuse 0.1.7\n');
});
