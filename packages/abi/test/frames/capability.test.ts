import fc from 'fast-check';
import t from 'tap';
import {
  capabilityRequestIdOf,
  MAX_CAPABILITY_REQUEST_BYTES,
  MAX_UPDATE_BYTES,
  parseCapabilityReply,
  parseCapabilityRequest,
} from '../../src/frames/capability.ts';
import { anyText, nearFrame, overTheWire, parsesOrRefuses, requestId } from '../arbitrary.ts';
import { holds } from '../property.ts';

const update = {
  op: 'agent.update',
  request_id: 'tool-1',
  agent: 'coder',
  session: 'default',
  run: 'run-1',
  control: 'system.md',
  content: '...',
};
const use = { op: 'model.use', request_id: 'm-1', messages: [{ role: 'user', content: 'hello' }] };

t.test('every request is read as it is, a bearer token of old clients is ignored', async (t) => {
  const tools = [{ name: 'tsh', description: 'The tool shell', schema: { type: 'object' } }];
  for (const request of [
    { op: 'ping' },
    update,
    use,
    { ...use, model: 'main', tools },
    { ...use, model: 'openai/gpt-5.6' },
  ])
    t.same(parseCapabilityRequest({ ...request, token: 'x' }, 100), request);
});

t.test('only model.use may fill a large frame', async (t) => {
  t.ok(parseCapabilityRequest(update, MAX_CAPABILITY_REQUEST_BYTES));
  t.throws(() => parseCapabilityRequest(update, MAX_CAPABILITY_REQUEST_BYTES + 1), {
    code: 'EMSGSIZE',
    message: 'request of 16385 bytes; all but model.use are limited to 16384',
  });
  t.ok(parseCapabilityRequest(use, 1024 * 1024));
});

t.test('an update names one of two prompt texts, to 8 KiB without NUL', async (t) => {
  t.ok(parseCapabilityRequest({ ...update, content: 'x'.repeat(MAX_UPDATE_BYTES) }, 9000));
  t.throws(() => parseCapabilityRequest({ ...update, content: 'é'.repeat(MAX_UPDATE_BYTES / 2 + 1) }, 9000), {
    code: 'EMSGSIZE',
    message: /"content": 8194 bytes are more than the limit of 8192/,
  });
  t.throws(() => parseCapabilityRequest({ ...update, content: 'a\0' }, 100), {
    code: 'EINVAL',
    message: /NUL/,
  });
  for (const control of ['policy', 'tools', 'window', '../system.md', 'system.md\n'])
    t.throws(() => parseCapabilityRequest({ ...update, control }, 100), {
      code: 'EINVAL',
      message: /"control"/,
    });
});

t.test('a wrong request is EINVAL and its id is still known', async (t) => {
  const { request_id: _, ...anonymous } = use;
  for (const frame of [
    {},
    { op: 'shell' },
    anonymous,
    { ...use, messages: 'hi' },
    { ...use, model: '../x' },
    { ...update, run: '' },
  ])
    t.throws(() => parseCapabilityRequest(frame as never, 100), {
      code: 'EINVAL',
      message: /^invalid capability request: /,
    });
  t.equal(capabilityRequestIdOf({ op: 'shell', request_id: 'r' }), 'r');
  for (const frame of [{}, { request_id: 1 }, { request_id: 'a b' }])
    t.equal(capabilityRequestIdOf(frame), undefined);
});

t.test('replies carry the id of their request', async (t) => {
  const replies = [
    { type: 'pong' },
    { type: 'ok', request_id: 'r' },
    { type: 'error', request_id: 'r', code: 'EALREADY', message: 'this id was used' },
    { type: 'error', code: 'EINVAL', message: 'no JSON' },
    { type: 'start', model: 'debug/echo', request_id: 'r' },
    { type: 'delta', text: 'a', request_id: 'r' },
    { type: 'reasoning_delta', text: 'a', request_id: 'r' },
    { type: 'message', content: [{ type: 'text', text: 'a' }], request_id: 'r' },
    { type: 'tool_call', id: 'c', name: 'fs.list', arguments: {}, request_id: 'r' },
    { type: 'usage', input_tokens: 1, request_id: 'r' },
    { type: 'done', status: 'ok', request_id: 'r' },
  ];
  for (const reply of replies) t.same(parseCapabilityReply({ ...reply, later: 1 }), reply);
  t.throws(() => parseCapabilityReply({ type: 'delta', text: 'a' }), {
    code: 'EINVAL',
    message: /"request_id" is missing/,
  });
  t.throws(() => parseCapabilityReply({ type: 'tool_result', request_id: 'r' }), {
    code: 'EINVAL',
    message: /unknown type/,
  });
});

t.test('property: calls of a model come back from the wire', async (t) => {
  holds(
    t,
    fc.property(requestId, anyText, (request_id, content) => {
      const request = { op: 'model.use', request_id, messages: [{ role: 'user', content }] };
      return JSON.stringify(parseCapabilityRequest(overTheWire(request), 100)) === JSON.stringify(request);
    }),
  );
});

t.test('property: anything is read or refused', async (t) => {
  const words = [
    'op',
    'type',
    'ping',
    'model.use',
    'agent.update',
    'request_id',
    'messages',
    'control',
    'content',
    'delta',
    'ok',
  ];
  holds(
    t,
    fc.property(nearFrame(words), (frame) =>
      [() => parseCapabilityRequest(frame, 1), () => parseCapabilityReply(frame)].every(parsesOrRefuses),
    ),
    500,
  );
});
