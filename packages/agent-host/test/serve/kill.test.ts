import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import type { Client } from './client.ts';
import { faultsOf } from './history.ts';
import { TestHost } from './host.ts';

const KILLS = atScale(200, 8);
/** What clients ask for in every round: two sessions at work, calls with effects, one run cancelled. */
const SCRIPT = [
  { op: 'send', id: 'calls', session: 'one', input: 'calls 2' },
  { op: 'send', id: 'text', session: 'one', input: 'deltas' },
  { op: 'tsh', id: 'shell', session: 'two', args: ['fs.read'] },
  { op: 'send', id: 'cancelled', session: 'two', input: 'wait' },
  { op: 'send', id: 'last', session: 'two', input: 'calls 1' },
] as const;
const SESSIONS = ['one', 'two'];

/** The requests of a round, under ids of its own. */
const requestsOf = (round: number) => SCRIPT.map((request) => ({ ...request, id: `${request.id}-${round}` }));

function perform(client: Client, requests: ReturnType<typeof requestsOf>): void {
  for (const request of requests) client.send(request);
  const waiting = requests.find(({ id }) => id.startsWith('cancelled-'))?.id;
  client
    .until((frame) => frame['request_id'] === waiting && frame.type === 'start')
    .then(
      () => client.send({ op: 'cancel', id: waiting }),
      () => {},
    );
}

/** Once per tool start: run, tool, step. */
function startsOf(host: TestHost): string[] {
  const file = join(host.site.workspace, 'ran');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Processes of these runs, by their environment. */
function processesOf(runs: ReadonlySet<string>): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const run = /(?:^|\0)CTX_RUN_ID=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1];
      return run !== undefined && runs.has(run);
    } catch {
      return false;
    }
  });
}

t.test(`kill -9 of the host at ${KILLS} random moments`, async (t) => {
  const host = await TestHost.start(t);
  const first = await host.client();
  const begun = performance.now();
  perform(first, requestsOf(0));
  await Promise.all(SCRIPT.map(({ id }) => first.run(`${id}-0`)));
  const whole = performance.now() - begun;
  first.close();

  /** Request id to the run that the client was told of. */
  const told = new Map<string, string>();
  const learn = (client: Client) => {
    for (const frame of client.frames.filter(({ type }) => type === 'start')) {
      const [id, run] = [String(frame['request_id']), String(frame['run'])];
      if (told.has(id) && told.get(id) !== run) t.fail(`${id} became another run`);
      told.set(id, run);
    }
  };
  const moments: number[] = [];
  for (let round = 1; round <= KILLS; round++) {
    const client = await host.client();
    perform(client, requestsOf(round));
    const moment = Math.random() * whole;
    moments.push(Math.round(moment));
    await delay(moment);
    await host.end('SIGKILL');
    await client.ended();
    learn(client);
    // Also in the middle of its repair.
    if (round % 4 === 0) await host.launchAndKill(Math.random() * 150);
    await host.launch();

    const faults = SESSIONS.filter((session) => existsSync(host.folder(session))).flatMap((session) =>
      faultsOf(host.records('events.jsonl', session), host.records('messages.jsonl', session)),
    );
    if (faults.length > 0) t.fail(`killed after ${Math.round(moment)} ms: ${faults.join('\n')}`);
    for (const session of SESSIONS)
      if (existsSync(host.folder(session))) t.not(host.file('state', session), 'active\n');
    const left = processesOf(new Set(told.values()));
    if (left.length > 0) t.fail(`killed after ${Math.round(moment)} ms: processes ${left} are left`);

    // A client that lost its host asks again, for what it was told began, and now and then for all.
    const retry = await host.client();
    const again = requestsOf(round).filter(({ id }) => told.has(id) || round % 4 === 0);
    perform(retry, again);
    await Promise.all(again.map(({ id }) => retry.run(id)));
    learn(retry);
    retry.close();
  }
  t.pass(`killed after ${moments.sort((a, b) => a - b).join(', ')} ms of ${Math.round(whole)}`);

  const starts = startsOf(host);
  t.strictSame(starts.length, new Set(starts).size, 'no tool ran twice');
  const events = SESSIONS.flatMap((session) => host.records('events.jsonl', session));
  const called = new Set(events.filter(({ type }) => type === 'tool_call').map(({ run }) => run));
  t.ok(
    starts.every((line) => called.has(line.split(' ')[0])),
    'no tool ran without its call on record',
  );
  const runs = events.filter(({ type, request_id: id }) => type === 'start' && id !== undefined);
  t.equal(new Set(runs.map((event) => event['request_id'])).size, runs.length, 'one run for each request');
  for (const [id, run] of told)
    if (!runs.some((event) => event['request_id'] === id && event['run'] === run))
      t.fail(`${id} was forgotten`);
});
