import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { SYSTEM } from '@cortexfs/abi/deployment';
import { formatMountReceipt, MOUNT_SCHEMA, type MountReceipt } from '@cortexfs/abi/receipt/mount';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import t, { type Test } from 'tap';
import { mountReceipt, servesStill, systemMountReceipt } from '../src/mount-receipt.ts';
import { cortexMountAt } from '../src/mount-table.ts';
import { deploymentOf, findPlace, ownPlace } from '../src/place.ts';
import { startTimeOf } from '../src/process.ts';

const receipt: MountReceipt = {
  schema: MOUNT_SCHEMA,
  pid: process.pid,
  start_time: startTimeOf(process.pid)!,
  source: '/store',
  root: '/mnt/mine',
  transport: 'kernel',
  runner: '/usr/bin/cortexfs-object-runner',
  uid: 0,
  created_at: formatTimestamp(0),
};

/** A user's environment, and where their runtime directory then is. */
function home(t: Test) {
  const folder = t.testdir({ run: { cortexfs: {} } });
  const env = { XDG_RUNTIME_DIR: `${folder}/run`, XDG_DATA_HOME: `${folder}/data` };
  return { folder, env, runtime: `${folder}/run/cortexfs` };
}

t.test(
  'the root is the option, CTX_ROOT, /ctx when mounted, the own mount, or where that would be',
  async (t) => {
    const { env, runtime, folder } = home(t);
    const ctx = cortexMountAt('/ctx') ? '/ctx' : undefined;
    t.equal(findPlace('/a/../b', { ...env, CTX_ROOT: '/c' }).root, '/b');
    t.equal(findPlace(undefined, { ...env, CTX_ROOT: '/c' }).root, '/c');
    t.equal(findPlace(undefined, env).root, ctx ?? deploymentOf('user', env).defaultMount);
    writeFileSync(`${runtime}/mount.json`, formatMountReceipt(receipt));
    const place = findPlace(undefined, env);
    t.equal(place.root, ctx ?? '/mnt/mine');
    if (ctx === undefined) {
      t.match(place, {
        kind: 'user',
        store: `${folder}/data/cortexfs/store`,
        runtime,
        mountRuntime: runtime,
      });
    }
  },
);

t.test('one’s own place is the same whatever /ctx is', async (t) => {
  const { env, runtime, folder } = home(t);
  writeFileSync(`${runtime}/mount.json`, formatMountReceipt(receipt));
  t.match(ownPlace(env), { kind: 'user', root: '/mnt/mine', store: `${folder}/data/cortexfs/store` });
  t.equal(ownPlace({ ...env, CTX_ROOT: '/c' }).root, '/c');
});

t.test('a receipt that cannot be read names no root', async (t) => {
  const { env, runtime } = home(t);
  writeFileSync(`${runtime}/mount.json`, '{');
  t.equal(mountReceipt(runtime), undefined);
  t.not(findPlace(undefined, env).root, '/mnt/mine');
});

t.test('the machine’s receipt counts only when nobody but root can have written it', async (t) => {
  const { runtime } = home(t);
  const self = process.geteuid!();
  const write = (mode: number) => {
    mkdirSync(runtime, { recursive: true });
    writeFileSync(`${runtime}/mount.json`, formatMountReceipt(receipt), { mode, flag: 'wx' });
  };
  write(0o644);
  t.match(systemMountReceipt(runtime, self), { root: '/mnt/mine' });
  t.equal(systemMountReceipt(runtime, self + 1), undefined, 'it is somebody else’s');
  chmodSync(`${runtime}/mount.json`, 0o664);
  t.equal(systemMountReceipt(runtime, self), undefined, 'a group may write it');
  chmodSync(`${runtime}/mount.json`, 0o644);
  renameSync(`${runtime}/mount.json`, `${runtime}/other`);
  symlinkSync('other', `${runtime}/mount.json`);
  t.equal(systemMountReceipt(runtime, self), undefined, 'it is a link');
});

t.test('a mount serves while the very process of its receipt lives; a plain root needs none', async (t) => {
  t.ok(servesStill(receipt));
  t.notOk(servesStill({ ...receipt, start_time: receipt.start_time + 1 }));
  t.ok(servesStill({ ...receipt, start_time: 0, transport: 'plain' }));
});

t.test('the system deployment has its fixed places', async (t) => {
  t.match(deploymentOf('system', {}), { kind: 'system', store: SYSTEM.store, defaultMount: '/ctx' });
});
