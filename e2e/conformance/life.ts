import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import type { Ended } from '../place.ts';
import { launchedPid } from '../processes.ts';
import { RawClient } from '../raw-client.ts';
import { Session } from '../session.ts';
import { until } from '../until.ts';
import type { Rules, Scene } from './place.ts';

/** What a client finds at a socket's path: nothing, a socket that nobody serves, or one that answers. */
type Found = 'missing' | 'ECONNREFUSED' | 'connected';

/**
 * The states of an agent's socket in the order in which one agent goes through them: it must run before the first rule,
 * and runs after the last one.
 */
export const lifeRules: Rules = [
  ['missing: an object without a stateful mode has no socket', stateless],
  ['missing: an agent that is not defined', undefinedAgent],
  ['connected: an agent that is idle answers in JSONL frames', idle],
  ['ECONNREFUSED: a host that was killed leaves a socket that nobody serves', crashed],
  ['connected: the next start serves the socket again, and the session is whole', started],
  ['closed: a stop ends every connection, and private sessions stay', stopped],
  ['missing: an agent that is stopped', missing],
  ['missing, then connected: a start shows the socket only once it can be used', starting],
];

async function stateless(t: Test, { place }: Scene) {
  for (const path of ['model/debug/script', 'tool/fs.list']) {
    t.ok(existsSync(`${place.root}/${path}`), path);
    t.equal(await found(`${place.root}/${path}.sock`), 'missing', path);
  }
}

async function undefinedAgent(t: Test, scene: Scene) {
  t.equal(await found(alias(scene, 'nobody')), 'missing');
  refused(t, await send(scene, 'nobody'), 1, 'ENOENT: agent/nobody', 'ctx status lists the agents');
}

async function idle(t: Test, scene: Scene) {
  t.match(await send(scene), { code: 0, out: 'here\n' });
  await showsStatus(scene, 'idle');
  t.equal(await found(alias(scene)), 'connected');
  t.match(await new RawClient(t, alias(scene)).send({ op: 'ping' }).next(), { type: 'pong' });
}

async function crashed(t: Test, scene: Scene) {
  const client = await connectedClient(t, scene);
  process.kill(launchedPid(scene.place, 'coder/socket.json'), 'SIGKILL');
  await client.ended();
  await until('nobody serves the socket', async () => (await found(alias(scene))) !== 'connected');
  t.equal(await found(alias(scene)), 'ECONNREFUSED');
  await showsStatus(scene, 'dead');
  refused(t, await send(scene), 69, 'EHOSTDOWN: agent/coder.sock: the agent does not answer', START);
}

async function started(t: Test, scene: Scene) {
  const before = history(scene);
  t.match(before, /"here"/);
  t.match(await start(scene), /^found: the socket host \(pid \d+\) had ended without cleaning up$/m);
  t.equal(await found(alias(scene)), 'connected');
  t.equal(history(scene), before);
}

async function stopped(t: Test, scene: Scene) {
  const before = history(scene);
  const clients = [await connectedClient(t, scene), await connectedClient(t, scene)];
  await scene.place.must(t, ['agent', 'stop', 'coder']);
  for (const client of clients) await client.ended();
  t.equal(history(scene), before);
  t.ok(existsSync(`${scene.place.root}/agent/coder`), 'nor does the definition go');
}

async function missing(t: Test, scene: Scene) {
  t.equal(await found(alias(scene)), 'missing');
  await showsStatus(scene, 'dead');
  refused(t, await send(scene), 69, 'EHOSTDOWN: agent/coder.sock: the agent is not running', START);
}

async function starting(t: Test, scene: Scene) {
  const seen: Found[] = [];
  let over = false;
  const whole = start(scene).finally(() => {
    over = true;
  });
  for (; !over; await delay(10)) seen.push(await found(alias(scene)));
  await whole;
  seen.push(await found(alias(scene)));
  t.strictSame([...new Set(seen)], ['missing', 'connected']);
  t.equal(seen.indexOf('connected'), seen.lastIndexOf('missing') + 1, 'and it does not go away again');
  t.match(await send(scene), { code: 0, out: 'here\n' });
}

const START = 'ctx agent start coder';

function alias({ place }: Scene, agent = 'coder'): string {
  return `${place.root}/agent/${agent}.sock`;
}

function found(path: string): Promise<Found> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('missing');
      else if (error.code === 'ECONNREFUSED') resolve('ECONNREFUSED');
      else reject(error);
    });
  });
}

/** A client that the host has accepted. */
async function connectedClient(t: Test, scene: Scene): Promise<RawClient> {
  const client = new RawClient(t, alias(scene));
  t.match(await client.send({ op: 'ping' }).next(), { type: 'pong' });
  return client;
}

function send({ place }: Scene, agent = 'coder'): Promise<Ended> {
  return place.ctx(['agent', 'send', agent, '--session', 'default', '!say here']);
}

async function start({ place }: Scene): Promise<string> {
  const { code, out, err } = await place.ctx(['agent', 'start', 'coder']);
  if (code !== 0) throw new Error(err);
  return out;
}

function refused(t: Test, { code, out, err }: Ended, expected: number, why: string, hint: string): void {
  t.match({ code, out }, { code: expected, out: '' }, err);
  t.ok(err.startsWith(`ctx: ${why}`), err);
  t.ok(err.endsWith(`\nhint: ${hint}\n`), err);
}

async function showsStatus({ place }: Scene, status: string): Promise<void> {
  await until(`${status} in ctx agent status`, async () =>
    (await place.ctx(['agent', 'status', 'coder'])).out.startsWith(`coder: ${status}\n`),
  );
}

function history({ place }: Scene): string {
  return new Session(place).read('messages.jsonl');
}
