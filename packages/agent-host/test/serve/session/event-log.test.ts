import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseObjectName, parseRunId as run } from '@cortexfs/abi/names';
import fc from 'fast-check';
import t from 'tap';
import { EventLog } from '../../../src/serve/session/event-log.ts';
import { parseEvent, readHead } from '../../../src/serve/session/stored-event.ts';
import { temporaryDirectory } from '../../temporary.ts';

const eventsAt = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => parseEvent(Buffer.from(line)));

t.test('ids and seq count from 1 without holes, also after reopening', (t) => {
  const path = join(temporaryDirectory(t), 'events.jsonl');
  let events = EventLog.open(path);
  t.equal(events.lastId, null);
  t.match(events.append({ type: 'start', run: run('R1') }), { id: 'e1', seq: 1, offset: 0 });
  events.append({ type: 'done', run: run('R1'), status: 'ok' });
  events.close();
  events = EventLog.open(path);
  t.equal(events.append({ type: 'agent.stop', agent: parseObjectName('coder'), reason: 'test' }).id, 'e3');
  events.close();
  t.strictSame(
    eventsAt(path).map(({ id, seq }) => `${id}:${seq}`),
    ['e1:1', 'e2:2', 'e3:3'],
  );
  t.match(eventsAt(path)[0]?.ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.end();
});

t.test('the head of a line is read without the rest', (t) => {
  const path = join(temporaryDirectory(t), 'events.jsonl');
  const events = EventLog.open(path);
  events.append({ type: 'delta', run: run('R'), text: 'x'.repeat(1000) });
  events.append({ type: 'agent.start', agent: parseObjectName('coder'), role: 'socket' });
  t.strictSame(
    [...events.headsBackward()],
    [
      { seq: 2, type: 'agent.start', run: undefined },
      { seq: 1, type: 'delta', run: 'R' },
    ],
  );
  events.close();
  t.throws(() => readHead(Buffer.from('{"type":"delta"}\n')), { code: 'EIO' });
  t.end();
});

t.test('resume finds the exact offset after every event, whatever the sizes', (t) => {
  const path = join(temporaryDirectory(t), 'events.jsonl');
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(30), fc.nat(300_000)), { minLength: 1, maxLength: 25 }), (sizes) => {
      writeFileSync(path, '');
      const events = EventLog.open(path);
      const offsets = sizes.map(
        (size) => events.append({ type: 'delta', run: run('R'), text: 'x'.repeat(size) }).offset,
      );
      offsets.push(events.log.size);
      for (const [seq, offset] of offsets.entries()) t.equal(events.offsetAfter(seq), offset);
      t.equal(events.offsetAfter(sizes.length + 5), events.log.size);
      events.close();
    }),
    { numRuns: 25 },
  );
  t.end();
});

t.test('locating the last of many events reads little of the log', (t) => {
  const path = join(temporaryDirectory(t), 'events.jsonl');
  const events = EventLog.open(path);
  for (let count = 0; count < 20_000; count++) events.append({ type: 'delta', run: run('R'), text: 'hello' });
  let reads = 0;
  const read = events.log.read.bind(events.log);
  events.log.read = (target, offset) => {
    reads++;
    return read(target, offset);
  };
  const offset = events.offsetAfter(19_998);
  t.ok(reads < 80, `${reads} reads`);
  const rest = Buffer.alloc(events.log.size - offset);
  read(rest, offset);
  t.equal(parseEvent(rest.subarray(0, rest.indexOf(10))).id, 'e19999');
  events.close();
  t.end();
});

t.test('waiting ends with the next event, or with the signal', async (t) => {
  const events = EventLog.open(join(temporaryDirectory(t), 'events.jsonl'));
  const grown = events.grown(0);
  events.append({ type: 'start', run: run('R') });
  await grown;
  await events.grown(0);
  const abort = new AbortController();
  const waiting = events.grown(events.log.size, abort.signal);
  abort.abort();
  await waiting;
  t.pass('all three returned');
  events.close();
});

t.test('a torn tail is cut and kept aside, twice under different names', (t) => {
  const directory = temporaryDirectory(t);
  const path = join(directory, 'events.jsonl');
  let events = EventLog.open(path);
  events.append({ type: 'start', run: run('R') });
  events.close();
  for (const [torn, kept] of [
    ['{"id":"e2","se', `${path}.torn-2`],
    ['\0\0\0\0', `${path}.torn-2.2`],
    ['{"half":\n', `${path}.torn-2.3`],
  ] as const) {
    appendFileSync(path, torn);
    events = EventLog.open(path);
    t.strictSame(events.torn, { bytes: torn.length, keptAt: kept });
    t.equal(readFileSync(kept, 'utf8'), torn);
    t.equal(events.seq, 1);
    events.close();
  }
  t.end();
});
