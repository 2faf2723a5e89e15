import { constants, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTimeOf } from '@cortexfs/linux/process';
import t from 'tap';
import { openStore } from '../../fixture/client.ts';
import type { TestStore } from '../../fixture/store.ts';

t.test('status and pid follow a verified launch receipt', async (t) => {
  const { store, client } = openStore(t);
  t.equal(client.read('agent/coder.d/status'), 'dead\n');
  t.equal(client.read('agent/coder.d/pid'), '');
  launch(store, process.pid, startTimeOf(process.pid)!, 'busy\n');
  t.equal(client.read('agent/coder.d/status'), 'busy\n');
  t.equal(client.read('agent/coder.d/pid'), `${process.pid}\n`);
  t.equal(client.stat('agent/coder.d/pid').size, `${process.pid}\n`.length);
  t.equal(client.read('agent/reviewer.d/status'), 'dead\n', 'of that agent only');
});

t.test('a state that is being read never seems shorter than it is', async (t) => {
  const { store, client } = openStore(t);
  launch(store, process.pid, startTimeOf(process.pid)!, 'stopping\n');
  const node = client.node('agent/coder.d/status');
  const { handle } = client.fs.open(client.context, node, constants.O_RDONLY);
  launch(store, process.pid, startTimeOf(process.pid)!, 'idle\n');
  t.equal(client.fs.getattr(client.context, node).attr.size, 'stopping\n'.length);
  t.equal(client.fs.read(client.context, node, handle, 0, 100).toString(), 'stopping\n');
  client.fs.release(node, handle);
  t.equal(client.fs.getattr(client.context, node).attr.size, 'idle\n'.length);
});

t.test('a pid that belongs to another process by now means dead', async (t) => {
  const { store, client } = openStore(t);
  launch(store, process.pid, startTimeOf(process.pid)! + 1, 'ready\n');
  t.equal(client.read('agent/coder.d/status'), 'dead\n');
  t.equal(client.read('agent/coder.d/pid'), '');
});

t.test('an unreadable receipt or status proves nothing and breaks nothing', async (t) => {
  const { store, client } = openStore(t);
  launch(store, process.pid, startTimeOf(process.pid)!, 'nonsense');
  t.equal(client.read('agent/coder.d/status'), 'start\n');
  writeFileSync(join(store.runtime, 'launch/coder/socket.json'), '{');
  t.equal(client.read('agent/coder.d/status'), 'dead\n');
});

t.test('status is ready for tools and models with an executable', async (t) => {
  const { store, client } = openStore(t);
  t.equal(client.read('tool/fs.read.d/status'), 'ready\n');
  t.equal(client.read('model/debug/echo.d/status'), 'ready\n');
  store.write('tool/half.d/policy', '');
  t.equal(client.read('tool/half.d/status'), 'unavailable\n');
});

t.test('meta.json shows the last cleanup receipt beside what people keep there', async (t) => {
  const { store, client } = openStore(t);
  t.throws(() => client.entry('agent/coder.d/meta.json'), { code: 'ENOENT' });
  client.create('agent/coder.d/meta.json', '{"purpose":"tests","cleanup":"forged"}');
  t.strictSame(JSON.parse(client.read('agent/coder.d/meta.json')), { purpose: 'tests' });
  const receipt = {
    schema: 'cortexfs.cleanup/v1',
    agent: 'coder',
    reason: 'stop',
    instances: [],
    stopped_at: '2026-01-02T03:04:05.678Z',
  };
  mkdirSync(join(store.runtime, 'launch/coder'), { recursive: true });
  writeFileSync(join(store.runtime, 'launch/coder/cleanup.json'), `${JSON.stringify(receipt)}\n`);
  const text = client.read('agent/coder.d/meta.json');
  t.strictSame(JSON.parse(text), { purpose: 'tests', cleanup: receipt });
  t.equal(client.stat('agent/coder.d/meta.json').size, text.length);
});

t.test('a cleanup receipt alone makes a meta.json, which people may still write', async (t) => {
  const { store, client } = openStore(t);
  t.notOk(client.list('agent/coder.d').includes('meta.json'));
  mkdirSync(join(store.runtime, 'launch/coder'), { recursive: true });
  const receipt = {
    schema: 'cortexfs.cleanup/v1',
    agent: 'coder',
    reason: 'stop',
    instances: [],
    stopped_at: '2026-01-02T03:04:05.678Z',
  };
  writeFileSync(join(store.runtime, 'launch/coder/cleanup.json'), `${JSON.stringify(receipt)}\n`);
  t.ok(client.list('agent/coder.d').includes('meta.json'));
  const text = client.read('agent/coder.d/meta.json');
  t.strictSame(JSON.parse(text), { cleanup: receipt });
  t.equal(client.stat('agent/coder.d/meta.json').size, text.length);
  client.write('agent/coder.d/meta.json', '{"purpose":"tests"}');
  t.strictSame(JSON.parse(client.read('agent/coder.d/meta.json')), { purpose: 'tests', cleanup: receipt });
  t.notOk(client.list('agent/reviewer.d').includes('meta.json'));
});

function launch(store: TestStore, pid: number, startTime: number, status: string): void {
  const directory = join(store.runtime, 'launch/coder');
  mkdirSync(directory, { recursive: true });
  const receipt = {
    schema: 'cortexfs.launch/v1',
    agent: 'coder',
    session: 'default',
    role: 'socket',
    supervisor: 'direct',
    unit: null,
    invocation: null,
    pid,
    start_time: startTime,
    uid: 0,
    gid: 0,
    groups: [],
    label: 'user_u:agent_r:coder_t:s0',
    socket: join(store.runtime, 'agent/coder.sock'),
    workspace: null,
    created_at: '2026-01-02T03:04:05.678Z',
  };
  writeFileSync(join(directory, 'socket.json'), `${JSON.stringify(receipt)}\n`);
  writeFileSync(join(directory, 'status'), status);
}
