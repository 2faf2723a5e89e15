import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runtimesOf } from '@cortexfs/abi/deployment';
import { startTimeOf } from '@cortexfs/linux/process';
import t, { type Test } from 'tap';
import { isOwnersRuntime, readOwnersFile } from '../../../src/core/runtime/owners-directory.ts';
import { openStore } from '../../fixture/client.ts';

const asRoot = { skip: process.geteuid!() === 0 ? false : 'needs root, to act for several users' };

/** A uid that nobody has, with their runtime directory in /tmp. */
function owner(t: Test) {
  const uid = randomInt(1_000_000, 2_000_000_000);
  const runtime = runtimesOf(uid)[1];
  t.teardown(() => rmSync(runtime, { recursive: true, force: true }));
  const own = (path: string) => {
    chownSync(path, uid, uid);
    return path;
  };
  own(mk(runtime));
  return {
    uid,
    runtime,
    write(path: string, text: string) {
      const file = join(runtime, path);
      const folders = path.split('/').slice(0, -1);
      for (let i = 1; i <= folders.length; i++) own(mk(join(runtime, ...folders.slice(0, i))));
      writeFileSync(file, text);
      own(file);
    },
  };
}

function mk(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function processOf(t: Test, uid: number): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['1000'], { uid, gid: uid, stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  return child as ChildProcess & { pid: number };
}

const receiptOf = (agent: string, pid: number, uid: number) =>
  `${JSON.stringify({
    schema: 'cortexfs.launch/v1',
    agent,
    session: 'default',
    role: 'socket',
    supervisor: 'direct',
    unit: null,
    invocation: null,
    pid,
    start_time: startTimeOf(pid),
    uid,
    gid: uid,
    groups: [],
    label: 'user_u:agent_r:coder_t:s0',
    socket: `/run/user/${uid}/cortexfs/agent/${agent}.sock`,
    workspace: null,
    created_at: '2026-01-02T03:04:05.678Z',
  })}\n`;

t.test('each agent shows what runs by its owner’s receipts, and by nobody else’s', asRoot, async (t) => {
  const { store, client } = openStore(t, { allowOther: true });
  const [alice, bob] = [owner(t), owner(t)];
  store.write('agent/coder.d/owner', `${alice.uid}\n`);
  const { pid } = processOf(t, alice.uid);
  bob.write('launch/coder/socket.json', receiptOf('coder', pid, alice.uid));
  bob.write('launch/coder/status', 'ready\n');
  t.equal(client.read('agent/coder.d/status'), 'dead\n', 'a stranger’s receipt');
  alice.write('launch/coder/socket.json', receiptOf('coder', pid, alice.uid));
  alice.write('launch/coder/status', 'idle\n');
  t.equal(client.read('agent/coder.d/status'), 'idle\n');
  t.equal(client.read('agent/coder.d/pid'), `${pid}\n`);
  t.equal(client.read('agent/reviewer.d/status'), 'dead\n');
});

t.test('a receipt cannot name a process that is not its owner’s', asRoot, async (t) => {
  const { store, client } = openStore(t, { allowOther: true });
  const mallory = owner(t);
  store.write('agent/coder.d/owner', `${mallory.uid}\n`);
  mallory.write('launch/coder/socket.json', receiptOf('coder', process.pid, mallory.uid));
  t.equal(client.read('agent/coder.d/status'), 'dead\n');
  t.equal(client.read('agent/coder.d/pid'), '');
});

t.test(
  'only what is the owner’s alone is read: no links, no other’s files, nothing mounted',
  asRoot,
  async (t) => {
    const { uid, runtime, write } = owner(t);
    const read = () => readOwnersFile([runtime], uid, './launch/coder/status');
    write('launch/coder/status', 'ready\n');
    t.equal(read(), 'ready\n');

    chmodSync(runtime, 0o750);
    t.equal(read(), undefined, 'others can enter');
    chmodSync(runtime, 0o700);
    chownSync(join(runtime, 'launch/coder/status'), uid + 1, uid);
    t.equal(read(), undefined, 'somebody else’s file, hard-linked perhaps');
    chownSync(join(runtime, 'launch/coder/status'), uid, uid);

    renameSync(join(runtime, 'launch'), join(runtime, 'real'));
    symlinkSync('real', join(runtime, 'launch'));
    t.equal(read(), undefined, 'a link on the way');
    rmSync(join(runtime, 'launch'));
    renameSync(join(runtime, 'real'), join(runtime, 'launch'));

    t.equal(spawnSync('mount', ['-t', 'tmpfs', 'none', join(runtime, 'launch')]).status, 0);
    t.teardown(() => spawnSync('umount', ['-l', join(runtime, 'launch')]));
    mkdirSync(join(runtime, 'launch/coder'));
    writeFileSync(join(runtime, 'launch/coder/status'), 'ready\n');
    chownSync(join(runtime, 'launch/coder/status'), uid, uid);
    t.equal(read(), undefined, 'another file system on the way');
    spawnSync('umount', [join(runtime, 'launch')]);

    rmSync(join(runtime, 'launch/coder/status'));
    t.equal(spawnSync('mkfifo', [join(runtime, 'launch/coder/status')]).status, 0);
    chownSync(join(runtime, 'launch/coder/status'), uid, uid);
    t.equal(read(), undefined, 'a pipe, without waiting for its writer');
  },
);

t.test(
  'a socket alias may lead to /tmp only where its owner has a private directory already',
  asRoot,
  async (t) => {
    const { store, client } = openStore(t, { allowOther: true });
    const { uid, runtime } = owner(t);
    store.write('agent/coder.d/owner', `${uid}\n`);
    const link = (target: string) => client.as(uid).symlink(target, 'agent/coder.sock');
    t.throws(() => client.as(uid + 1).symlink(`${runtime}/agent/coder.sock`, 'agent/coder.sock'), {
      code: 'EACCES',
    });
    t.throws(() => link(`${store.runtime}/agent/coder.sock`), { code: 'EPERM' }, 'the daemon’s own place');
    chmodSync(runtime, 0o755);
    t.notOk(isOwnersRuntime(runtime, uid));
    t.throws(() => link(`${runtime}/agent/coder.sock`), { code: 'EPERM' });
    chmodSync(runtime, 0o700);
    t.ok(isOwnersRuntime(runtime, uid));
    t.notOk(isOwnersRuntime(runtime, uid + 1));
    link(`${runtime}/agent/coder.sock`);
    client.as(uid).unlink('agent/coder.sock');
    link(`/run/user/${uid}/cortexfs/agent/coder.sock`);
    t.equal(client.readlink('agent/coder.sock'), `/run/user/${uid}/cortexfs/agent/coder.sock`);
  },
);
