import fc from 'fast-check';
import t from 'tap';
import { parseAgentOutput } from '../../src/frames/agent-output.ts';
import { nearFrame, parsesOrRefuses } from '../arbitrary.ts';
import { holds } from '../property.ts';

t.test('an agent writes text, usage and one kind of request: a tool call', async (t) => {
  const frames = [
    { type: 'delta', text: 'hel' },
    { type: 'delta', run: 'run-1', text: 'lo' },
    { type: 'reasoning_delta', text: 'hm' },
    { type: 'message', content: [{ type: 'text', text: 'hello' }] },
    { type: 'usage', input_tokens: 1 },
    { type: 'tool_call', id: 'call-1', name: 'fs.list', arguments: {} },
  ];
  for (const frame of frames) t.same(parseAgentOutput({ ...frame, extra: 1 }), frame);
});

t.test('what only the host may say is refused from an agent', async (t) => {
  const reserved = [
    'start',
    'done',
    'error',
    'tool_result',
    'approval_request',
    'approval_result',
    'agent.start',
    'resumed',
    'pong',
  ];
  for (const type of reserved)
    t.throws(() => parseAgentOutput({ type, run: 'r', status: 'ok', code: 'EIO', message: '' }), {
      code: 'EINVAL',
      layer: 'agent',
      message: `an agent may not write a frame of type "${type}"`,
      hint: 'allowed: delta message reasoning_delta usage tool_call',
    });
  for (const frame of [{}, { type: 7 }, { type: 'toString' }])
    t.throws(() => parseAgentOutput(frame), { code: 'EINVAL' });
});

t.test('a malformed call is refused', async (t) => {
  for (const call of [
    {},
    { id: 'c' },
    { id: 'c', name: 'x' },
    { id: '', name: 'x', arguments: {} },
    { id: 'c', name: 'a/b', arguments: {} },
  ])
    t.throws(() => parseAgentOutput({ type: 'tool_call', ...call }), {
      code: 'EINVAL',
      message: /^invalid model frame/,
    });
});

t.test('property: anything is read or refused', async (t) => {
  holds(
    t,
    fc.property(nearFrame(['type', 'delta', 'tool_call', 'message', 'text', 'id', 'name']), (frame) =>
      parsesOrRefuses(() => parseAgentOutput(frame)),
    ),
  );
});
