import fc from 'fast-check';
import t from 'tap';
import { parseSessionMessage, type SessionMessage } from '../../src/session/message.ts';
import { formatSessionMeta, parseSessionMeta, type SessionMeta } from '../../src/session/meta.ts';
import { formatSessionState, parseSessionState, SESSION_STATES } from '../../src/session/state.ts';
import * as arbitrary from '../arbitrary.ts';
import { holds } from '../property.ts';

const head = { id: 'm1', ts: '2026-03-01T12:00:00.000Z', run: 'run-1' };
const result = { type: 'tool_result', tool_call_id: 'c', name: 'fs.list', status: 'ok', content: '[]' };

t.test('a message is text of a user or assistant, or results of tools', async (t) => {
  const messages = [
    { ...head, role: 'user', content: [{ type: 'text', text: 'hello' }] },
    { ...head, role: 'assistant', content: [] },
    { ...head, role: 'tool', content: [result] },
  ];
  for (const message of messages) t.same(parseSessionMessage({ ...message, later: 1 }), message);
});

t.test('a wrong message is EINVAL', async (t) => {
  const bad = [
    { ...head, role: 'system', content: [] },
    { ...head, role: 'user', content: 'hello' },
    { ...head, role: 'user', content: [result] },
    { ...head, role: 'tool', content: [{ type: 'text', text: 'x' }] },
    { ...head, role: 'user', content: [], ts: 'yesterday' },
    { role: 'user', content: [] },
  ];
  for (const message of bad)
    t.throws(() => parseSessionMessage(message as never), {
      code: 'EINVAL',
      message: /^invalid message record: /,
    });
});

t.test('a state is one word and a newline', async (t) => {
  for (const state of SESSION_STATES) t.equal(parseSessionState(formatSessionState(state)), state);
  for (const text of ['', 'idle', 'Idle\n', 'idle\n\n', ' idle\n', 'busy\n'])
    t.throws(() => parseSessionState(text), {
      code: 'EINVAL',
      layer: 'session',
      message: /is not a session state: one of idle active/,
    });
});

const meta = {
  schema: 'cortexfs.session/v1' as const,
  agent: 'coder',
  session: 'default',
  scope: 'shared' as const,
  space: 'project-a',
  owner: 1000,
  created_at: head.ts,
} as unknown as SessionMeta;

t.test('meta.json is one line and comes back', async (t) => {
  const json = formatSessionMeta(meta);
  t.equal(json.indexOf('\n'), json.length - 1);
  t.same(parseSessionMeta(json), meta);
  t.same(parseSessionMeta(json.replace('{', '{"note":"by hand",')), meta);
  for (const bad of [
    '',
    '[]',
    json.replace('v1', 'v2'),
    json.replace('1000', '-1'),
    json.replace('coder', '../x'),
  ])
    t.throws(() => parseSessionMeta(bad), { code: 'EINVAL' });
});

t.test('property: messages come back from their line', async (t) => {
  const message: fc.Arbitrary<SessionMessage> = fc.record({
    id: arbitrary.requestId,
    ts: arbitrary.timestamp,
    run: arbitrary.runId,
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: fc.array(fc.record({ type: fc.constant('text' as const), text: arbitrary.anyText }), {
      maxLength: 3,
    }),
  });
  holds(
    t,
    fc.property(
      message,
      (value) => JSON.stringify(parseSessionMessage(arbitrary.overTheWire(value))) === JSON.stringify(value),
    ),
  );
});

t.test('property: anything is read or refused', async (t) => {
  const words = ['id', 'ts', head.ts, 'run', 'role', 'user', 'tool', 'content', 'schema', 'scope', 'owner'];
  const near = arbitrary.nearFrame(words);
  holds(
    t,
    fc.property(near, (line) => arbitrary.parsesOrRefuses(() => parseSessionMessage({ ...head, ...line }))),
  );
  holds(
    t,
    fc.property(near, (line) => arbitrary.parsesOrRefuses(() => parseSessionMeta(JSON.stringify(line)))),
  );
  holds(
    t,
    fc.property(arbitrary.hostileText, (text) => arbitrary.parsesOrRefuses(() => parseSessionState(text))),
  );
});
