import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import type { Client } from './client.ts';
import { TestHost } from './host.ts';
import { digestFile, RunDigests, SlowReader } from './stream.ts';

const BIG = atScale(1_000_000, 50_000);
const host = await TestHost.start(t, { env: 'step_timeout_s=120\n' }, (host) => {
  for (const [session, count] of [
    ['small', 1000],
    ['big', BIG],
  ] as const)
    longSession(host, session, count);
});

const field = (file: string, name: string) =>
  Number(
    new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(
      readFileSync(`/proc/${host.process!.pid}/${file}`, 'utf8'),
    )?.[1],
  );
/** Of the host, in MiB. */
const memory = (name: 'VmHWM' | 'VmRSS') => field('status', name) / 1024;

/** A session of so many events, all but the first of one run that has ended. */
function longSession(host: TestHost, session: string, count: number): void {
  const folder = host.folder(session);
  mkdirSync(folder, { recursive: true });
  const head = (seq: number, type: string) =>
    `{"id":"e${seq}","seq":${seq},"ts":"2026-03-01T12:00:00.000Z","type":"${type}","run":"long"`;
  const lines = [`${head(1, 'start')},"request_id":"r","request_sha256":"${'0'.repeat(64)}"}\n`];
  for (let seq = 2; seq < count; seq++) lines.push(`${head(seq, 'delta')},"text":"word ${seq} of many"}\n`);
  lines.push(`${head(count, 'done')},"status":"ok"}\n`);
  writeFileSync(`${folder}/events.jsonl`, lines.join(''));
  writeFileSync(`${folder}/state`, 'done\n');
}

await t.test('a resume of the last event reads as little of a long session as of a short one', async (t) => {
  const client = await host.client();
  const readFor = async (session: string, count: number) => {
    const before = field('io', 'rchar');
    client.frames.length = 0;
    client.send({ op: 'resume', session, after: `e${count - 1}` });
    t.match(await client.type('resumed'), { last: `e${count}` });
    t.match(client.frames, [{ type: 'done', seq: count }, { type: 'resumed' }]);
    return field('io', 'rchar') - before;
  };
  // The first of each opens the session, which makes its list of request ids: the second is what a client meets.
  for (const [session, count] of [
    ['small', 1000],
    ['big', BIG],
  ] as const)
    await readFor(session, count);
  const [small, big] = [await readFor('small', 1000), await readFor('big', BIG)];
  t.ok(big <= small * 1.5, `${big} bytes for the last of ${BIG}, ${small} for the last of 1000`);
  client.close();
});

await t.test('a thousand idle connections cost under 64 MiB', async (t) => {
  const before = memory('VmRSS');
  const clients: Client[] = [];
  for (let count = 0; count < 1000; count++) clients.push(await host.client());
  await Promise.all(clients.map((client) => client.send({ op: 'ping' }).type('pong')));
  const cost = memory('VmRSS') - before;
  t.ok(cost < 64, `${cost.toFixed(1)} MiB`);
  for (const client of clients) client.close();
});

const IDS = atScale(1000, 16);
await t.test(`${IDS * 10} sends of ${IDS} ids by ten clients at once: ${IDS} runs`, async (t) => {
  const clients = await Promise.all(Array.from({ length: 10 }, () => host.client()));
  const places = new Map<string, Set<unknown>>();
  const sendAll = async (session: string, id: string) => {
    const ends = await Promise.all(
      clients.map((client) => client.send({ op: 'send', id, session, input: 'answer' }).run(id)),
    );
    places.set(id, new Set(ends.map((frames) => JSON.stringify(frames))));
  };
  const lane = async (session: string, first: number) => {
    for (let index = first; index < IDS; index += 4) await sendAll(session, `id-${index}`);
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(lane));
  t.equal(places.size, IDS);
  t.ok(
    [...places.values()].every((answers) => answers.size === 1),
    'all ten got the same frames',
  );
  const starts = ['a', 'b', 'c', 'd'].flatMap((session) =>
    host.records('events.jsonl', session).filter(({ type }) => type === 'start'),
  );
  t.equal(starts.length, IDS);
  for (const client of clients) client.close();
});

// One run may write 9 steps of 16 MiB; a client may have 64 streams. 1 GiB is 64 runs of 16 MiB on one connection.
const FLOODS = atScale(64, 4);
await t.test(`a client that never reads while ${FLOODS} runs write 16 MiB each`, async (t) => {
  const sessions = ['f0', 'f1', 'f2', 'f3'];
  const requests = Array.from({ length: FLOODS }, (_, index) => ({
    op: 'send',
    id: `flood-${index}`,
    session: sessions[index % sessions.length],
    input: 'much',
  }));
  const slow = new SlowReader(host.socket, requests);
  t.teardown(() => slow.close());
  const other = await host.client();
  const stored = () =>
    sessions
      .filter((session) => existsSync(`${host.folder(session)}/events.jsonl`))
      .map((session) => {
        const digests = new RunDigests();
        digestFile(`${host.folder(session)}/events.jsonl`, digests);
        return digests;
      });
  for (let beside = 0; ; beside++) {
    const frames = await other
      .send({ op: 'send', id: `beside-${beside}`, session: 'beside', input: 'answer' })
      .run(`beside-${beside}`);
    t.match(frames.at(-1), { status: 'ok' }, 'other sessions go on');
    await delay(atScale(2000, 300));
    if (stored().reduce((sum, { done }) => sum + done, 0) === FLOODS) break;
  }
  other.close();
  await slow.read(FLOODS);
  const all = stored();
  t.strictSame(
    slow.digests.all,
    all.flatMap((digests) => digests.all).sort(),
    'every byte of every run, in order',
  );
  t.ok(slow.digests.bytes > FLOODS * 15 * 1024 * 1024, `${(slow.digests.bytes / 2 ** 20).toFixed(0)} MiB`);
  t.ok(memory('VmHWM') < 200, `the host never had more than ${memory('VmHWM').toFixed(0)} MiB`);
});

// The host's process would keep this one waiting.
t.end();
