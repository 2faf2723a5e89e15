import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { startTimeOf } from '@cortexfs/linux/process';
import t, { type Test } from 'tap';
import { type Client, openStore } from '../../fixture/client.ts';
import { install } from '../../fixture/installed.ts';
import type { TestStore } from '../../fixture/store.ts';

const ALICE = 40_001;
const BOB = 40_002;
/** What nobody can say but the maker. */
const WANTED: Record<string, string> = {
  label: 'user_u:agent_r:worker_t:s0\n',
  parent: 'agent:architect\n',
  path: '/ctx/tool\n',
  model: 'main\n',
  abi: 'sdk-envelope-v1\n',
  policy: '',
};

function open(t: Test) {
  const { store, client } = openStore(t, { allowOther: true });
  store.write('agent/architect.d/owner', '0\n');
  return { store, root: client, alice: client.as(ALICE), bob: client.as(BOB) };
}

function begin(client: Client, name = 'worker', changes: Record<string, string> = {}): void {
  client.mkdir(`agent/${name}.d`);
  for (const [control, text] of Object.entries({ ...WANTED, ...changes }))
    put(client, `agent/${name}.d/${control}`, text);
}

/** As a shell does: made when it is not there, written otherwise. */
function put(client: Client, path: string, text: string): void {
  try {
    client.write(path, text);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    client.create(path, text);
  }
}

const inStore = ({ source }: TestStore) => readdirSync(join(source, 'agent')).sort();

t.test('a user makes an agent: it is theirs, and it appears whole', async (t) => {
  const { store, alice, bob } = open(t);
  const before = inStore(store);
  begin(alice);
  t.strictSame(inStore(store), before, 'nothing is in the store yet');
  t.throws(() => bob.entry('agent/worker.d'), { code: 'ENOENT' });
  t.notOk(bob.list('agent').includes('worker.d'));
  t.ok(alice.list('agent').includes('worker.d'));
  alice.create('agent/worker');
  t.strictSame(inStore(store), [...before, 'worker', 'worker.d'].sort(), 'and no residue');
  t.match(bob.read('agent/worker'), /# cortexfs\.object=agent\n# cortexfs\.name=worker\n/);
  for (const [control, text] of Object.entries({
    ...WANTED,
    owner: `${ALICE}\n`,
    uid: `${ALICE}\n`,
    gid: `${ALICE}\n`,
    groups: '',
    iso: 'shared\n',
    life: 'owned\n',
    root: `/ctx/home/${ALICE}/agent/worker/root\n`,
    cwd: '/workspace\n',
    window: 'auto\n',
    status: 'dead\n',
    pid: '',
  }))
    t.equal(bob.read(`agent/worker.d/${control}`), text, control);
  t.match(alice.read('agent/worker.d/log'), /made by uid 40001/);
  alice.chmod('agent/worker', { mtime: 0n });
  t.equal(alice.stat('agent/worker').mtimeNs, 0n, 'touch sets its times');
  t.throws(() => bob.chmod('agent/worker', { mtime: 'now' }), { code: 'EACCES' });
  t.throws(() => alice.chmod('agent/worker', { mode: 0o777 }), { code: 'EPERM' });
  if (process.geteuid!() === 0)
    for (const path of ['worker', 'worker.d', 'worker.d/policy'])
      t.equal(lstatSync(join(store.source, 'agent', path)).uid, 0, `${path} stays root's in the store`);
  for (const path of ['worker', 'worker.d', 'worker.d/policy'])
    t.equal(bob.stat(`agent/${path}`).uid, ALICE, `${path} is shown as its owner's`);
  alice.write('agent/worker.d/model', 'debug/echo\n');
  t.throws(() => bob.write('agent/worker.d/model', 'debug/echo\n'), { code: 'EACCES' });
});

t.test('an agent that is not whole does not appear, and its log says what is missing', async (t) => {
  const { store, alice } = open(t);
  for (const control of Object.keys(WANTED)) {
    begin(alice);
    alice.unlink(`agent/worker.d/${control}`);
    t.equal(alice.read('agent/worker.d/log'), `missing: ${control}\n`);
    t.throws(() => alice.create('agent/worker'), { code: 'EINVAL' }, control);
    t.throws(() => alice.entry('agent/worker'), { code: 'ENOENT' });
    for (const name of alice.list('agent/worker.d')) alice.unlink(`agent/worker.d/${name}`);
    alice.rmdir('agent/worker.d');
  }
  begin(alice);
  t.equal(alice.read('agent/worker.d/log'), 'whole: make agent/worker to begin it\n');
  t.notOk(inStore(store).includes('worker.d'));
});

const refused: [string, Record<string, string>, string][] = [
  ['a label without a subject', { label: 'a:b\n' }, 'EINVAL'],
  ['a policy that cannot be read', { policy: 'allow everything\n' }, 'EINVAL'],
  ['another ABI', { abi: 'v2\n' }, 'EINVAL'],
  ['a relative path', { path: 'tool\n' }, 'EINVAL'],
  ['no known control', { colour: 'red\n' }, 'EPERM'],
  ['a projection', { status: 'ready\n' }, 'EROFS'],
  ['another owner', { owner: `${BOB}\n` }, 'EPERM'],
  ['the uid of somebody else', { uid: '0\n' }, 'EPERM'],
  ['a group of somebody else', { gid: '0\n' }, 'EPERM'],
  ['groups of somebody else', { groups: '0\n' }, 'EPERM'],
  ['another isolation', { iso: 'uid\n' }, 'EPERM'],
  ['a lineage of its own', { parent: 'root\n' }, 'EPERM'],
  ["somebody else's agent as parent", { parent: 'agent:coder\n' }, 'EPERM'],
];

for (const [what, change, code] of refused) {
  t.test(`${what} is refused when it is written, and the old value stays`, async (t) => {
    const { alice } = open(t);
    begin(alice);
    const [[control, text]] = Object.entries(change) as [[string, string]];
    const old = ['colour', 'status'].includes(control) ? undefined : alice.read(`agent/worker.d/${control}`);
    t.throws(() => put(alice, `agent/worker.d/${control}`, text), { code });
    if (old !== undefined) t.equal(alice.read(`agent/worker.d/${control}`), old);
    else t.throws(() => alice.entry(`agent/worker.d/${control}`), { code: 'ENOENT' });
    alice.create('agent/worker');
  });
}

t.test('a window needs a model that is large enough, also in an agent that is being made', async (t) => {
  const { alice } = open(t);
  begin(alice, 'worker', { window: '40000\n' });
  t.throws(() => alice.create('agent/worker'), { code: 'EINVAL' });
  alice.write('agent/worker.d/window', '30000\n');
  alice.create('agent/worker');
});

t.test('a parent must be there', async (t) => {
  const { root, alice } = open(t);
  begin(root, 'worker', { parent: 'agent:nobody\n' });
  t.throws(() => root.create('agent/worker'), { code: 'EINVAL' });
  begin(alice, 'first');
  alice.create('agent/first');
  begin(alice, 'second', { parent: 'agent:first session:default run:r1\n' });
  alice.create('agent/second');
  t.equal(alice.read('agent/second.d/parent'), 'agent:first session:default run:r1\n');
});

t.test('root makes agents for others, with any identity', async (t) => {
  const { root, alice } = open(t);
  begin(root, 'worker', {
    owner: `${ALICE}\n`,
    uid: `${ALICE}\n`,
    gid: '100\n',
    parent: 'root\n',
    iso: 'userns\n',
  });
  root.create('agent/worker');
  alice.write('agent/worker.d/model', 'debug/echo\n');
});

t.test('names that are taken, being made or no names are refused', async (t) => {
  const { store, alice, bob } = open(t);
  t.throws(() => alice.mkdir('agent/coder.d'), { code: 'EEXIST' });
  for (const name of ['x', 'x.d.d', '.x.d', 'a b.d', `${'n'.repeat(65)}.d`, '.ctx-rollback-1.d'])
    t.throws(() => alice.mkdir(`agent/${name}`), { code: 'EPERM' }, name);
  alice.mkdir('agent/worker.d');
  t.throws(() => alice.mkdir('agent/worker.d'), { code: 'EEXIST' });
  t.throws(() => bob.mkdir('agent/worker.d'), { code: 'EEXIST' });
  t.throws(() => bob.create('agent/worker'), { code: 'EPERM' });
  t.throws(() => bob.rmdir('agent/worker.d'), { code: /^E/ });
  t.throws(() => alice.create('agent/other'), { code: 'EPERM' });
  t.throws(() => alice.mkdir('tool/mine.d'), { code: 'EPERM' });
  t.throws(() => alice.mkdir('model/debug/mine.d'), { code: 'EPERM' });
  mkdirSync(join(store.source, 'agent/worker.d'));
  for (const [control, text] of Object.entries(WANTED)) put(alice, `agent/worker.d/${control}`, text);
  t.throws(() => alice.create('agent/worker'), { code: 'EEXIST' }, 'somebody else was faster');
  t.strictSame(readdirSync(join(store.source, 'agent/worker.d')), [], 'and theirs is left alone');
  t.notOk(
    inStore(store).some((name) => name.startsWith('.')),
    'nothing else is left',
  );
});

t.test('sixteen agents of one user are made at a time', async (t) => {
  const { alice, bob } = open(t);
  for (let i = 0; i < 16; i++) alice.mkdir(`agent/w${i}.d`);
  t.throws(() => alice.mkdir('agent/more.d'), { code: 'ENOSPC' });
  bob.mkdir('agent/more.d');
});

t.test('nothing is made from inside a view, and on a mount of one user by nobody else', async (t) => {
  const { root } = open(t);
  t.throws(() => root.mkdir('.view/coder/agent/worker.d'), { code: 'EPERM' });
  const { client } = openStore(t);
  t.throws(() => client.as(ALICE).mkdir('agent/worker.d'), { code: 'EACCES' });
  begin(client, 'worker', { parent: 'agent:coder\n' });
  client.create('agent/worker');
});

t.test('a control is replaced by a temporary file beside it, as ctx set does', async (t) => {
  const { alice } = open(t);
  begin(alice);
  alice.create('agent/worker.d/.cortexfs-write-1', 'debug/echo\n');
  alice.rename('agent/worker.d/.cortexfs-write-1', 'agent/worker.d/model');
  t.equal(alice.read('agent/worker.d/model'), 'debug/echo\n');
  alice.create('agent/worker.d/.cortexfs-write-2', 'no/such/name\n');
  t.throws(() => alice.rename('agent/worker.d/.cortexfs-write-2', 'agent/worker.d/model'), {
    code: 'EINVAL',
  });
  t.equal(alice.read('agent/worker.d/model'), 'debug/echo\n');
  alice.create('agent/worker');
});

t.test('a temporary agent that does not run is removed by its owner; others stay', async (t) => {
  const { store, alice, bob } = open(t);
  begin(alice, 'worker', { life: 'temp\n' });
  alice.create('agent/worker');
  alice.mkdir('agent/worker.d/hooks');
  t.throws(() => alice.unlink('agent/worker.d/policy'), { code: 'EPERM' }, 'not while it is whole');
  t.throws(() => alice.rmdir('agent/worker.d'), { code: 'EPERM' });
  t.throws(() => bob.unlink('agent/worker'), { code: 'EACCES' });
  alice.unlink('agent/worker');
  t.throws(() => bob.unlink('agent/worker.d/policy'), { code: 'EACCES' });
  t.throws(() => alice.rmdir('agent/worker.d'), { code: 'ENOTEMPTY' });
  alice.rmdir('agent/worker.d/hooks');
  for (const name of alice.list('agent/worker.d')) alice.unlink(`agent/worker.d/${name}`);
  alice.rmdir('agent/worker.d');
  t.notOk(inStore(store).some((name) => name.startsWith('worker')));
  begin(alice);
  alice.create('agent/worker');
  t.throws(() => alice.unlink('agent/worker'), { code: 'EPERM' }, 'its life is owned');
});

t.test('an agent that runs is not removed', async (t) => {
  const { store, client } = openStore(t);
  begin(client, 'worker', { life: 'temp\n', parent: 'agent:coder\n' });
  client.create('agent/worker');
  launch(store, 'worker');
  t.throws(() => client.unlink('agent/worker'), { code: 'EBUSY' });
  writeFileSync(join(store.runtime, 'launch/worker/socket.json'), '');
  client.unlink('agent/worker');
});

t.test('an installed agent is not removed as a file', async (t) => {
  const { store, root } = open(t);
  const { owner, life, policy } = { owner: '0\n', life: 'temp\n', policy: '' };
  install(store, 'agent', 'plugin', '#!/bin/sh\n', { owner, life, policy });
  t.throws(() => root.unlink('agent/plugin'), { code: 'EPERM' });
});

t.test('a store that cannot take the agent is left as it was', async (t) => {
  const { store, root } = open(t);
  begin(root);
  writeFileSync(join(store.source, 'agent/worker'), 'somebody put this here\n');
  t.throws(() => root.create('agent/worker'), { code: 'EEXIST' });
  t.notOk(existsSync(join(store.source, 'agent/worker.d')), 'its controls were taken back');
  t.equal(readFileSync(join(store.source, 'agent/worker'), 'utf8'), 'somebody put this here\n');
  t.notOk(inStore(store).some((name) => name.startsWith('.')));
  chmodSync(join(store.source, 'agent'), 0o755);
});

t.test('hooks belong to the owner, whatever their modes say', async (t) => {
  const { store, alice, bob } = open(t);
  begin(alice);
  alice.create('agent/worker');
  alice.mkdir('agent/worker.d/hooks');
  alice.mkdir('agent/worker.d/hooks/pre.d', 0o777);
  t.throws(() => alice.mkdir('agent/worker.d/hooks/other.d'), { code: 'EPERM' });
  t.throws(() => alice.create('agent/worker.d/hooks/file'), { code: 'EPERM' });
  t.throws(() => alice.rename('agent/worker.d/hooks/pre.d', 'agent/worker.d/hooks/post.d'), {
    code: 'EPERM',
  });
  alice.create('agent/worker.d/hooks/pre.d/10-check', '#!/bin/sh\n', 0o777);
  t.equal(bob.read('agent/worker.d/hooks/pre.d/10-check'), '#!/bin/sh\n');
  t.equal(bob.stat('agent/worker.d/hooks/pre.d/10-check').mode & 0o111, 0o111);
  t.throws(() => bob.write('agent/worker.d/hooks/pre.d/10-check', 'x'), { code: 'EACCES' });
  t.throws(() => bob.chmod('agent/worker.d/hooks/pre.d/10-check', { mode: 0 }), { code: 'EACCES' });
  t.throws(() => bob.create('agent/worker.d/hooks/pre.d/20-mine', 'x'), { code: 'EACCES' });
  t.throws(() => bob.unlink('agent/worker.d/hooks/pre.d/10-check'), { code: 'EACCES' });
  t.throws(() => bob.mkdir('agent/worker.d/hooks/post.d'), { code: 'EACCES' });
  t.throws(() => alice.rmdir('agent/worker.d/hooks'), { code: 'ENOTEMPTY' });
  t.throws(() => alice.mkdir('model/debug/echo.d/hooks'), { code: 'EPERM' });
  store.write('agent/worker.d/policy', 'allow worker_t agent:worker read\n');
  t.equal(alice.read('.view/worker/agent/worker.d/hooks/pre.d/10-check'), '#!/bin/sh\n');
  t.throws(() => alice.create('.view/worker/agent/worker.d/hooks/pre.d/x'), { code: 'EROFS' });
});

function launch(store: TestStore, agent: string): void {
  const receipt = {
    schema: 'cortexfs.launch/v1',
    agent,
    session: 'default',
    role: 'socket',
    supervisor: 'direct',
    unit: null,
    invocation: null,
    pid: process.pid,
    start_time: startTimeOf(process.pid)!,
    uid: 0,
    gid: 0,
    groups: [],
    label: 'x',
    socket: '/x',
    workspace: null,
    created_at: '2026-01-02T03:04:05.678Z',
  };
  mkdirSync(join(store.runtime, 'launch', agent), { recursive: true });
  writeFileSync(join(store.runtime, 'launch', agent, 'socket.json'), `${JSON.stringify(receipt)}\n`);
}
