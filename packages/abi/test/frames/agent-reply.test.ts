import fc from 'fast-check';
import t from 'tap';
import { isEvent, parseAgentReply } from '../../src/frames/agent-reply.ts';
import { EVENT_TYPES } from '../../src/frames/event.ts';
import { nearFrame, parsesOrRefuses } from '../arbitrary.ts';
import { holds } from '../property.ts';

const replies = [
  { type: 'pong' },
  { type: 'ok', op: 'cancel', id: 'run-1' },
  { type: 'ok', op: 'stop' },
  { type: 'resumed', last: 'e17' },
  { type: 'resumed', last: null },
  {
    type: 'status',
    session: 'default',
    state: 'active',
    run: 'r1',
    step: 2,
    model: 'debug/script',
    last: 'e9',
  },
  { type: 'status', session: 'default', state: 'idle', run: null, step: null, model: null, last: null },
  {
    type: 'error',
    request_id: 'msg-1',
    code: 'EACCES',
    message: 'no',
    layer: 'credentials',
    path: 'agent/coder.sock',
  },
  { type: 'error', code: 'EMSGSIZE', message: 'frame is too long' },
];
const event = {
  id: 'e1',
  seq: 1,
  ts: '2026-03-01T12:00:00.000Z',
  type: 'error',
  run: 'r1',
  code: 'EIO',
  message: 'x',
};

t.test('every direct reply is read as it is', async (t) => {
  for (const reply of replies) {
    const read = parseAgentReply({ ...reply, later: 1 });
    t.same(read, reply, JSON.stringify(reply));
    t.notOk(read && isEvent(read));
  }
});

t.test('a frame with a number is a stored event', async (t) => {
  const read = parseAgentReply(event);
  t.same(read, event);
  t.ok(read && isEvent(read));
});

t.test('every type of event is known to clients', async (t) => {
  t.ok(EVENT_TYPES.size > 10);
  for (const type of EVENT_TYPES) t.throws(() => parseAgentReply({ type, seq: 1 }), { code: 'EINVAL' }, type);
});

t.test('a type of a later version is skipped, a broken frame is not', async (t) => {
  t.equal(parseAgentReply({ type: 'hologram', id: 'e1', seq: 1 }), undefined);
  for (const frame of [
    {},
    { type: 1 },
    { type: 'status' },
    { type: 'delta', text: 'x' },
    { ...event, id: 'e2' },
  ])
    t.throws(() => parseAgentReply(frame), { code: 'EINVAL' }, JSON.stringify(frame));
});

t.test('property: anything is read, skipped or refused', async (t) => {
  const words = [
    'type',
    'pong',
    'ok',
    'op',
    'resumed',
    'last',
    'status',
    'error',
    'code',
    'EIO',
    'message',
    'seq',
    'id',
    'e1',
  ];
  holds(
    t,
    fc.property(nearFrame(words), (frame) => parsesOrRefuses(() => parseAgentReply(frame))),
    500,
  );
});
