import fc from 'fast-check';
import t from 'tap';
import { type AgentRequest, parseAgentRequest, requestIdOf } from '../../src/frames/agent-request.ts';
import * as arbitrary from '../arbitrary.ts';
import { holds } from '../property.ts';

const requests = [
  { op: 'send', id: 'msg-1', session: 'default', scope: 'private', cwd: '/workspace', input: 'hello' },
  { op: 'send', id: 'msg-1', session: 'default', input: '' },
  { op: 'send', id: 'msg-1', session: 'default', scope: 'shared', space: 'project-a', input: 'hello' },
  { op: 'tsh', id: 'tool-1', session: 'default', args: ['load', 'bash'] },
  { op: 'tsh', id: 'tool-1', session: 'default', scope: 'temp', args: [] },
  { op: 'resume', session: 'default' },
  { op: 'resume', session: 'default', after: 'e17' },
  { op: 'cancel', id: 'run-1' },
  { op: 'cancel', id: 'msg-1', session: 'default' },
  { op: 'approve', run: 'run-1', id: 'call-1', decision: 'allow_once' },
  { op: 'approve', run: 'run-1', id: 'call-1', decision: 'deny' },
  { op: 'status', session: 'default' },
  { op: 'stop' },
  { op: 'ping' },
];

t.test('every request is read as it is', async (t) => {
  for (const request of requests) t.same(parseAgentRequest(request), request, JSON.stringify(request));
});

t.test('unknown fields are ignored, harmful names included', async (t) => {
  for (const request of requests.filter(({ op }) => op !== 'approve')) {
    const frame = JSON.parse(
      `${JSON.stringify(request).slice(0, -1)},"token":"x","__proto__":{"op":"stop"}}`,
    );
    const read = parseAgentRequest(frame);
    t.same(read, request);
    t.equal(Object.getPrototypeOf(read), Object.prototype);
  }
});

t.test('an approval has exactly its keys', async (t) => {
  const approve = { op: 'approve', run: 'run-1', id: 'call-1', decision: 'allow_once' };
  t.throws(() => parseAgentRequest({ ...approve, session: 'default' }), {
    code: 'EINVAL',
    message: 'invalid request: unknown field "session"',
    hint: 'fields: op run id decision',
  });
  for (const decision of ['allow', 'allow_always', 'ALLOW_ONCE', true, null])
    t.throws(() => parseAgentRequest({ ...approve, decision }), { code: 'EINVAL', message: /"decision"/ });
});

t.test('what is wrong is EINVAL and says what', async (t) => {
  const faults: [object, string][] = [
    [{}, 'the field "op" is missing'],
    [{ op: 'exec' }, 'unknown op "exec"'],
    [{ op: 7 }, '"op": expected a string, not a number'],
    [{ op: 'send', session: 'default', input: 'x' }, 'the field "id" is missing'],
    [
      { op: 'send', id: 'a b', session: 'default', input: 'x' },
      '"id": "a b" is not a valid request id: expected 1 to 128 visible ASCII characters',
    ],
    [
      { op: 'send', id: 'm', session: '../x', input: 'x' },
      '"session": "../x" is not a valid session name: "/" is not allowed; use letters, digits and . _ + -',
    ],
    [
      { op: 'send', id: 'm', session: 'index', input: 'x' },
      '"session": "index" is not a valid session name: the name "index" is reserved for the list of sessions',
    ],
    [{ op: 'send', id: 'm', session: 's', input: 1 }, '"input": expected a string, not a number'],
    [
      { op: 'send', id: 'm', session: 's', input: 'x', cwd: 'src' },
      '"cwd": expected an absolute path, not "src"',
    ],
    [
      { op: 'send', id: 'm', session: 's', input: 'x', scope: 'public' },
      '"scope": expected "private" or "shared" or "temp", not "public"',
    ],
    [
      { op: 'send', id: 'm', session: 's', input: 'x', scope: 'shared' },
      '"space" is missing: a shared session needs it',
    ],
    [{ op: 'send', id: 'm', session: 's', input: 'x', space: 'p' }, '"space" is only for "scope":"shared"'],
    [{ op: 'tsh', id: 'm', session: 's', args: 'ls' }, '"args": expected an array, not a string'],
    [{ op: 'tsh', id: 'm', session: 's', args: ['a\0'] }, '"args[0]": a NUL character is not allowed'],
    [{ op: 'resume', session: 's', after: 'e0' }, '"after": "e0" is not an event id such as "e17"'],
    [{ op: 'resume', session: 's', after: 17 }, '"after": expected a string, not a number'],
    [{ op: 'cancel' }, 'the field "id" is missing'],
    [{ op: 'status' }, 'the field "session" is missing'],
  ];
  for (const [frame, why] of faults)
    t.throws(() => parseAgentRequest(frame as never), { code: 'EINVAL', message: `invalid request: ${why}` });
});

t.test('a name that is too long keeps its own errno name', async (t) => {
  t.throws(() => parseAgentRequest({ op: 'status', session: 'a'.repeat(65) }), { code: 'ENAMETOOLONG' });
});

t.test('the id of a bad request is still known to its reply', async (t) => {
  t.equal(requestIdOf({ op: 'exec', id: 'msg-1' }), 'msg-1');
  for (const frame of [{}, { id: 7 }, { id: '' }, { id: 'a b' }]) t.equal(requestIdOf(frame), undefined);
});

t.test('property: requests come back from the wire', async (t) => {
  const address = { session: arbitrary.sessionName };
  const request: fc.Arbitrary<AgentRequest> = fc.oneof(
    fc.record(
      {
        op: fc.constant('send' as const),
        id: arbitrary.requestId,
        ...address,
        cwd: arbitrary.absolutePath,
        input: arbitrary.anyText,
      },
      { requiredKeys: ['op', 'id', 'session', 'input'] },
    ),
    fc.record({
      op: fc.constant('tsh' as const),
      id: arbitrary.requestId,
      ...address,
      args: fc.array(arbitrary.textWithoutNul, { maxLength: 4 }),
    }),
    fc.record({
      op: fc.constant('approve' as const),
      run: arbitrary.runId,
      id: arbitrary.callId,
      decision: fc.constantFrom('allow_once' as const, 'deny' as const),
    }),
  );
  holds(
    t,
    fc.property(
      request,
      (value) => JSON.stringify(parseAgentRequest(arbitrary.overTheWire(value))) === JSON.stringify(value),
    ),
  );
});

t.test('property: anything is read or refused', async (t) => {
  const words = [
    'op',
    'send',
    'tsh',
    'resume',
    'cancel',
    'approve',
    'status',
    'ping',
    'id',
    'session',
    'scope',
    'input',
    'args',
    'after',
  ];
  holds(
    t,
    fc.property(arbitrary.nearFrame(words), (frame) =>
      arbitrary.parsesOrRefuses(() => parseAgentRequest(frame)),
    ),
    1000,
  );
});
