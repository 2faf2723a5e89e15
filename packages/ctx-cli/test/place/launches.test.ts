import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { parseObjectName, parseSessionName } from '@cortexfs/abi/names';
import { formatLaunchReceipt, LAUNCH_SCHEMA } from '@cortexfs/abi/receipt/launch';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import { startTimeOf } from '@cortexfs/linux/process';
import t from 'tap';
import { launches, runningAgents } from '../../src/place/launches.ts';
import { ctx, place } from '../process.ts';

function write(runtime: string, agent: string, name: string, start_time: number): void {
  mkdirSync(`${runtime}/launch/${agent}`, { recursive: true });
  const receipt = formatLaunchReceipt({
    schema: LAUNCH_SCHEMA,
    agent: parseObjectName(agent),
    session: parseSessionName('default'),
    role: name === 'socket.json' ? 'socket' : 'terminal',
    supervisor: 'direct',
    unit: null,
    invocation: null,
    pid: process.pid,
    start_time,
    uid: 0,
    gid: 0,
    groups: [],
    label: 'user_u:agent_r:coder_t:s0',
    socket: `${runtime}/agent/${agent}.sock`,
    workspace: null,
    created_at: formatTimestamp(Date.now()),
  });
  writeFileSync(`${runtime}/launch/${agent}/${name}`, receipt);
}

t.test('a receipt runs when its process does, and one that proves nothing does not', async (t) => {
  const { runtime } = place(t);
  t.same(launches(runtime), []);
  const start = startTimeOf(process.pid)!;
  write(runtime, 'coder', 'socket.json', start);
  write(runtime, 'coder', 'terminal-default.json', start + 1);
  write(runtime, 'reviewer', 'socket.json', start);
  writeFileSync(`${runtime}/launch/reviewer/socket.json`, 'torn');
  for (const other of ['lock', 'cleanup.json', 'terminal-default.lock'])
    writeFileSync(`${runtime}/launch/coder/${other}`, '');
  const socket = `${runtime}/agent/coder.sock`;
  t.same(launches(runtime), [
    { agent: 'coder', name: 'socket.json', running: true, socket },
    { agent: 'coder', name: 'terminal-default.json', running: false, socket },
    { agent: 'reviewer', name: 'socket.json', running: false, socket: undefined },
  ]);
  const { out } = await ctx({ XDG_RUNTIME_DIR: runtime.replace(/\/cortexfs$/, ''), HOME: runtime }, [
    'doctor',
  ]);
  t.match(out, /coder\/terminal-default\.json is stale/);
  t.notMatch(out, /coder\/socket\.json is stale/);
});

t.test('an agent of another store does not count as running on this one', async (t) => {
  const { runtime, store, folder } = place(t);
  const start = startTimeOf(process.pid)!;
  write(runtime, 'coder', 'socket.json', start);
  write(runtime, 'coder', 'terminal-default.json', start);
  write(runtime, 'reviewer', 'terminal-default.json', start);
  write(runtime, 'architect', 'socket.json', start + 1);
  mkdirSync(`${store}/agent`, { recursive: true });
  symlinkSync(`${runtime}/agent/coder.sock`, `${store}/agent/coder.sock`);
  const all = launches(runtime);
  t.same(runningAgents(store, all), ['coder', 'reviewer'], 'a terminal alone may be of any');
  t.same(runningAgents(`${folder}/other`, all), ['reviewer']);
});
