import fc from 'fast-check';
import t from 'tap';
import { type EventBody, makeEvent, parseEvent } from '../../src/frames/event.ts';
import * as arbitrary from '../arbitrary.ts';
import { holds } from '../property.ts';

const ts = '2026-03-01T12:00:00.000Z';
const run = 'run-1';
const call = { run, tool_call_id: 'call-1' };
const bodies = [
  { type: 'start', run, model: 'debug/script', request_id: 'msg-1', request_sha256: 'ab'.repeat(32) },
  { type: 'start', run },
  { type: 'delta', run, text: 'hel' },
  { type: 'reasoning_delta', run, text: 'hm\0' },
  { type: 'message', run, role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
  { type: 'usage', run, model: 'debug/script', input_tokens: 1, output_tokens: 2 },
  { type: 'tool_call', ...call, name: 'fs.list', arguments: { path: '/workspace' } },
  { type: 'approval_request', ...call, name: 'fs.write', arguments: {}, cwd: '/workspace' },
  { type: 'approval_result', ...call, decision: 'deny', reason: 'no answer within 60 s' },
  { type: 'tool_result', ...call, name: 'fs.list', status: 'ok', content: '[]', truncated: false },
  {
    type: 'tool_result',
    ...call,
    name: 'fs.read',
    status: 'error',
    content: 'x',
    truncated: false,
    code: 'EACCES',
  },
  { type: 'error', run, code: 'EHOSTDOWN', message: 'the host ended', hint: 'send it again' },
  { type: 'done', run, status: 'cancelled' },
  { type: 'agent.update', run, request_id: 'u-1', control: 'system.md' },
  { type: 'agent.start', agent: 'coder', role: 'socket', pid: 7, found: ['stale socket'] },
  { type: 'agent.stop', agent: 'coder', reason: 'asked by uid 1000' },
  { type: 'agent.child.start', child: 'rev-1', session: 'default', run },
  { type: 'agent.child.cancel', child: 'rev-1', reason: 'parent stopped' },
];

t.test('every event has id, number, time and type, and is read as it was written', async (t) => {
  for (const [index, body] of bodies.entries()) {
    const event = makeEvent(index + 1, ts, body as EventBody);
    t.same(Object.keys(event).slice(0, 4), ['id', 'seq', 'ts', 'type']);
    t.same(
      parseEvent(arbitrary.overTheWire(event)),
      { id: `e${index + 1}`, seq: index + 1, ts, ...body },
      body.type,
    );
  }
});

t.test('unknown fields are ignored', async (t) => {
  const event = makeEvent(1, ts, bodies[2] as EventBody);
  t.same(parseEvent({ ...arbitrary.overTheWire(event), later: true }), event);
});

t.test('a wrong event is EINVAL and says what', async (t) => {
  const good = { id: 'e2', seq: 2, ts, type: 'delta', run, text: '' };
  const faults: [object, string][] = [
    [{ ...good, id: 'e3' }, '"id": expected "e2", not "e3"'],
    [{ ...good, seq: 0 }, '"seq": expected an integer from 1 to 9007199254740991, not 0'],
    [{ ...good, ts: 'now' }, '"ts": "now" is not a time such as 2026-03-01T12:00:00.000Z'],
    [{ ...good, type: 'pong' }, 'unknown type "pong"'],
    [{ ...good, run: undefined }, 'the field "run" is missing'],
    [{ ...good, text: undefined }, 'the field "text" is missing'],
    [
      { ...good, type: 'done', status: 'fine' },
      '"status": expected "ok" or "error" or "cancelled", not "fine"',
    ],
    [{ ...good, type: 'error', code: 'EWHAT', message: '' }, '"code": "EWHAT" is not an errno name'],
    [
      { ...good, type: 'tool_result', ...call, name: 'x', status: 'ok', content: '' },
      'the field "truncated" is missing',
    ],
    [
      { ...good, type: 'tool_call', ...call, name: 'x', arguments: '{}' },
      '"arguments": expected an object, not a string',
    ],
  ];
  for (const [frame, why] of faults)
    t.throws(() => parseEvent(arbitrary.overTheWire(frame)), {
      code: 'EINVAL',
      message: `invalid event: ${why}`,
    });
});

t.test('property: events come back from the wire', async (t) => {
  const body = fc.oneof(
    fc.record({ type: fc.constant('delta' as const), run: arbitrary.runId, text: arbitrary.anyText }),
    fc.record({
      type: fc.constant('tool_call' as const),
      run: arbitrary.runId,
      tool_call_id: arbitrary.callId,
      name: arbitrary.objectName,
      arguments: arbitrary.jsonObject,
    }),
    fc.record({
      type: fc.constant('tool_result' as const),
      run: arbitrary.runId,
      tool_call_id: arbitrary.callId,
      name: arbitrary.objectName,
      status: fc.constantFrom('ok' as const, 'error' as const),
      content: arbitrary.anyText,
      truncated: fc.boolean(),
    }),
  );
  holds(
    t,
    fc.property(fc.integer({ min: 1 }), arbitrary.timestamp, body, (seq, ts, body) => {
      const event = makeEvent(seq, ts, body);
      return JSON.stringify(parseEvent(arbitrary.overTheWire(event))) === JSON.stringify(event);
    }),
  );
});

t.test('property: anything is read or refused', async (t) => {
  const words = ['type', 'run', 'id', 'seq', 'ts', ts, 'e1', ...bodies.map(({ type }) => type)];
  const near = arbitrary.nearFrame(words).map((frame) => ({ id: 'e1', seq: 1, ts, ...frame }));
  holds(
    t,
    fc.property(near, (frame) => arbitrary.parsesOrRefuses(() => parseEvent(frame))),
    1000,
  );
});
