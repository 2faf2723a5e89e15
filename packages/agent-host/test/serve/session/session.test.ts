import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseObjectName, parseRequestId, parseRunId, parseSessionName } from '@cortexfs/abi/names';
import fc from 'fast-check';
import t from 'tap';
import { privateGround } from '../../../src/serve/session/ground.ts';
import type { Session } from '../../../src/serve/session/session.ts';
import { SessionStore } from '../../../src/serve/session/session-store.ts';
import { parseEvent, type StoredEvent } from '../../../src/serve/session/stored-event.ts';
import { temporaryDirectory } from '../../temporary.ts';

const name = parseSessionName('default');
const coder = parseObjectName('coder');
const storeAt = (store: string) => new SessionStore(privateGround(store, 1000, coder), coder, 1000);
const sessionPath = (store: string) => join(store, 'home/1000/agent/coder/session/default');

function eventsOf(store: string): StoredEvent[] {
  return readFileSync(join(sessionPath(store), 'events.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => parseEvent(Buffer.from(line)));
}

/** What a run leaves behind, in the order in which the host writes it; `stop` cuts it short. */
async function recordRun(session: Session, text: string, stop = 99): Promise<void> {
  const run = parseRunId(text);
  const request_id = parseRequestId(`id-${text}`);
  const steps = [
    () => session.files.setState('active'),
    () =>
      session.messages.append({ role: 'user', run, content: [{ type: 'text', text: `question ${run}` }] }),
    () => {
      const { seq } = session.events.append({
        type: 'start',
        run,
        request_id,
        request_sha256: 'aa',
      });
      session.requests.record(request_id, { run, seq, sha256: 'aa' });
    },
    () => session.events.append({ type: 'delta', run, text: `answer ${run}` }),
    () =>
      session.events.append({
        type: 'message',
        run,
        role: 'assistant',
        content: [{ type: 'text', text: `answer ${run}` }],
      }),
    () =>
      session.messages.append({ role: 'assistant', run, content: [{ type: 'text', text: `answer ${run}` }] }),
    () => session.events.append({ type: 'done', run, status: 'ok' }),
    () => session.finish('done', `answer ${run}`),
  ];
  for (const step of steps.slice(0, stop)) await step();
}

t.test('a new session has every file, private modes, and an index', async (t) => {
  const store = temporaryDirectory(t);
  const sessions = storeAt(store);
  const session = await sessions.openOrCreate(name, '/workspace');
  await recordRun(session, 'R1');
  await sessions.index.touch(name, '/workspace');
  const directory = sessionPath(store);
  for (const file of [
    'messages.jsonl',
    'events.jsonl',
    'latest.md',
    'state',
    'cwd',
    'created_at',
    'updated_at',
    'meta.json',
  ]) {
    t.equal(statSync(join(directory, file)).mode & 0o777, 0o600, file);
  }
  for (const sub of ['', 'context', 'terminal', '../index'])
    t.equal(statSync(join(directory, sub)).mode & 0o777, 0o700, sub);
  t.equal(readFileSync(join(directory, 'state'), 'utf8'), 'done\n');
  t.equal(readFileSync(join(directory, 'latest.md'), 'utf8'), 'answer R1\n');
  t.equal(readFileSync(join(directory, 'cwd'), 'utf8'), '/workspace\n');
  t.match(JSON.parse(readFileSync(join(directory, 'meta.json'), 'utf8')), {
    agent: 'coder',
    session: 'default',
    owner: 1000,
  });
  t.strictSame(sessions.index.list(), ['default']);
  t.equal(readFileSync(join(directory, '../index/current'), 'utf8'), 'default\n');
  t.equal(readdirSync(join(directory, '../index/by-cwd')).length, 1);
  await sessions.close();
});

t.test('the index lists the newest first and survives its loss', async (t) => {
  const store = temporaryDirectory(t);
  const sessions = storeAt(store);
  for (const text of ['one', 'two', 'one']) {
    const session = parseSessionName(text);
    await sessions.openOrCreate(session, '/workspace');
    await sessions.index.touch(session, '/workspace');
  }
  t.strictSame(sessions.index.list(), ['one', 'two']);
  rmSync(join(sessionPath(store), '../index/list'));
  t.strictSame(sessions.index.list(), ['one', 'two']);
  await sessions.close();
});

t.test('a session that nobody began is ENOENT, and asking again after it began works', async (t) => {
  const sessions = storeAt(temporaryDirectory(t));
  await t.rejects(sessions.open(name), { code: 'ENOENT', layer: 'session' });
  await sessions.openOrCreate(name, '/workspace');
  t.equal((await sessions.open(name)).name, 'default');
  await sessions.close();
});

t.test('a host that ended after any write leaves a session that settles whole', async (t) => {
  for (let stop = 1; stop <= 8; stop++) {
    const store = temporaryDirectory(t);
    let sessions = storeAt(store);
    const session = await sessions.openOrCreate(name, '/workspace');
    await recordRun(session, '01A');
    await recordRun(session, '01B', stop);
    await sessions.close();

    sessions = storeAt(store);
    await sessions.recover();
    await sessions.close();
    const events = eventsOf(store).filter((event) => event.run === '01B');
    const status = stop >= 5 ? 'ok' : 'error';
    if (stop === 1) t.strictSame(events, [], 'nothing was asked');
    else {
      t.strictSame(events.filter(({ type }) => type === 'start').length, 1, `one start after ${stop} writes`);
      t.match(events.at(-1), { type: 'done', status }, `one outcome after ${stop} writes`);
      t.equal(events.filter(({ type }) => type === 'done').length, 1);
      t.equal(events.filter(({ type }) => type === 'message' || type === 'error').length, 1);
    }
    const answers =
      readFileSync(join(sessionPath(store), 'messages.jsonl'), 'utf8').match(/answer 01B/g) ?? [];
    t.equal(answers.length, status === 'ok' ? 1 : 0, 'the answer stands once, or not at all');
    t.equal(
      readFileSync(join(sessionPath(store), 'state'), 'utf8').trim(),
      stop === 1 || stop >= 5 ? 'done' : 'error',
    );
  }
});

t.test('request ids are known after a crash and after the loss of their index', async (t) => {
  const store = temporaryDirectory(t);
  for (const prepare of [
    () => {},
    () => rmSync(join(sessionPath(store), 'context/requests.jsonl')),
    () => writeFileSync(join(sessionPath(store), 'context/requests.jsonl'), '{"half'),
  ]) {
    const sessions = storeAt(store);
    const session = await sessions.openOrCreate(name, '/workspace');
    if (session.requests.get('id-01A') === undefined) await recordRun(session, '01A', 4);
    await sessions.close();
    prepare();
    const again = storeAt(store);
    t.match((await again.open(name)).requests.get('id-01A'), { run: '01A', seq: 1, sha256: 'aa' });
    await again.close();
  }
});

t.test(
  'files cut anywhere: what was whole stays, what was torn is kept aside, every run has one end',
  async (t) => {
    const whole = temporaryDirectory(t);
    const sessions = storeAt(whole);
    const session = await sessions.openOrCreate(name, '/workspace');
    for (const run of ['01A', '01B', '01C']) await recordRun(session, run);
    await sessions.close();
    const read = (file: string) => readFileSync(join(sessionPath(whole), file));
    const events = read('events.jsonl');
    const messages = read('messages.jsonl');

    await fc.assert(
      fc.asyncProperty(fc.nat(events.length), fc.nat(messages.length), async (cutEvents, cutMessages) => {
        const store = temporaryDirectory(t);
        await (await storeAt(store).openOrCreate(name, '/workspace')).files.setState('active');
        const path = (file: string) => join(sessionPath(store), file);
        writeFileSync(path('events.jsonl'), events);
        truncateSync(path('events.jsonl'), cutEvents);
        writeFileSync(path('messages.jsonl'), messages);
        truncateSync(path('messages.jsonl'), cutMessages);

        const repaired = storeAt(store);
        await repaired.recover();
        await repaired.close();
        const kept = events.subarray(0, events.subarray(0, cutEvents).lastIndexOf(10) + 1);
        const after = readFileSync(path('events.jsonl'));
        t.ok(after.subarray(0, kept.length).equals(kept), 'whole lines stay');
        const torn = readdirSync(sessionPath(store)).filter((file) => file.startsWith('events.jsonl.torn-'));
        t.equal(torn.length, kept.length === cutEvents ? 0 : 1, 'a torn line is kept aside');
        const stored = eventsOf(store);
        t.strictSame(
          stored.map(({ seq }) => seq),
          stored.map((_, index) => index + 1),
          'seq has no holes',
        );
        for (const run of new Set(stored.map((event) => event.run))) {
          const types = stored.filter((event) => event.run === run).map(({ type }) => type);
          t.equal(types.filter((type) => type === 'start').length, 1);
          t.equal(types.filter((type) => type === 'done').length, 1);
          t.equal(types.at(-1), 'done');
        }
      }),
      { numRuns: 60 },
    );
  },
);

t.test('a session directory whose creation was cut short is completed', async (t) => {
  const store = temporaryDirectory(t);
  const sessions = storeAt(store);
  await sessions.openOrCreate(name, '/workspace');
  await sessions.close();
  rmSync(join(sessionPath(store), 'state'));
  const again = storeAt(store);
  await t.rejects(again.open(name), { code: 'ENOENT' });
  await again.openOrCreate(name, '/workspace');
  t.ok(existsSync(join(sessionPath(store), 'state')));
  await again.close();
});
