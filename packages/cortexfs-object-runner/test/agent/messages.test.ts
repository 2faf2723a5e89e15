import type { Invocation } from '@cortexfs/abi/invocation';
import { parseCallId, parseObjectName, parseRunId } from '@cortexfs/abi/names';
import t from 'tap';
import { messagesOf } from '../../src/agent/messages.ts';

const invocation: Invocation = {
  schema: 'cortexfs.agent-invocation/v1',
  run: parseRunId('run-1'),
  step: 0,
  input: 'now',
  history_messages: '[{"role":"system","content":"s"},{"role":"user","content":"before"}]',
  tool_context: '',
  observation: null,
};

t.test('step 0 asks with the history and then the input', async (t) => {
  t.same(messagesOf(invocation), [
    { role: 'system', content: 's' },
    { role: 'user', content: 'before' },
    { role: 'user', content: 'now' },
  ]);
});

t.test('a later step asks with the history, which holds the input, and the result', async (t) => {
  const observation = {
    tool_call_id: parseCallId('call-1'),
    name: parseObjectName('fs.list'),
    status: 'error' as const,
    content: 'ENOENT: x',
    truncated: false,
  };
  const { truncated: _, ...result } = observation;
  t.same(messagesOf({ ...invocation, step: 1, observation }).at(-1), {
    role: 'tool',
    content: [{ type: 'tool_result', ...result }],
  });
  t.equal(messagesOf({ ...invocation, step: 1, observation }).length, 3);
});

t.test('a history that is no list of messages is EINVAL', async (t) => {
  for (const history_messages of ['', '{}', '[1]', '[{"role":"boss","content":""}]', '[{"role":"user"}]']) {
    t.throws(() => messagesOf({ ...invocation, history_messages }), { code: 'EINVAL' }, history_messages);
  }
});
