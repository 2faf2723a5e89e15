import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { ModelInput } from '@cortexfs/abi/model-io';
import { parseCallId, parseObjectName } from '@cortexfs/abi/names';
import t from 'tap';
import { Answer } from '../../src/network/answer.ts';
import { ToolNames } from '../../src/network/tool-names.ts';

const counts = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
const finish = (
  unified: 'stop' | 'tool-calls' | 'error' | 'other' | 'content-filter',
  raw?: string,
): LanguageModelV3StreamPart => ({
  type: 'finish',
  usage: counts,
  finishReason: { unified, raw },
});
const call = (toolCallId: string, input: string, toolName = 'fs_read'): LanguageModelV3StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
});
const offered: ModelInput = {
  messages: [],
  tools: [{ name: parseObjectName('fs.read'), description: '', schema: {} }],
};

function said(parts: readonly LanguageModelV3StreamPart[], input = offered) {
  const answer = new Answer(new ToolNames(input), input);
  return [...parts.flatMap((part) => [...answer.take(part)]), ...answer.end()];
}

t.test('calls come last, behind text and usage, in their order', async (t) => {
  const parts = [
    call('a', '{"path":"x"}'),
    { type: 'text-delta', id: '0', delta: 'Two.' } as const,
    call('b', '', 'tsh'),
    finish('tool-calls'),
  ];
  t.match(said(parts), [
    { type: 'delta', text: 'Two.' },
    { type: 'message', content: [{ type: 'text', text: 'Two.' }] },
    { type: 'usage', input_tokens: 3, output_tokens: 2 },
    { type: 'tool_call', id: 'a', name: 'fs.read', arguments: { path: 'x' } },
    { type: 'tool_call', id: 'b', name: 'tsh', arguments: {} },
  ]);
});

t.test('what cannot be carried out says why, so that the model can mend it', async (t) => {
  for (const [input, name, why] of [
    ['{"path":', 'fs_read', /cannot be used: invalid JSON .* They were: \{"path":$/],
    ['[1]', 'fs_read', /not a JSON object/],
    ['{"a":1,"a":2}', 'fs_read', /duplicate key/],
    ['{}', 'no tool at all', /there is no tool "no tool at all"/],
  ] as const)
    t.match(
      said([call('a', input, name), finish('stop')]).at(-1),
      { type: 'tool_call', arguments: {}, malformed: why },
      input,
    );
  const [long] = said([call('a', `{"${'x'.repeat(100_000)}`), finish('stop')]).slice(-1);
  t.ok(JSON.stringify(long).length < 4000, 'and is not repeated at any length');
});

t.test('ids are the provider’s own, but none is used twice and each can be written', async (t) => {
  const before = {
    type: 'tool_call',
    id: parseCallId('a'),
    name: parseObjectName('tsh'),
    arguments: {},
  } as const;
  const input: ModelInput = { messages: [{ role: 'assistant', content: [before] }] };
  const ids = said(
    [call('a', '{}'), call('b', '{}'), call('b', '{}'), call('', '{}'), call('ü', '{}'), finish('stop')],
    input,
  ).flatMap((event) => (event.type === 'tool_call' ? [event.id] : []));
  t.equal(new Set([...ids, 'a']).size, 6);
  t.equal(ids[1], 'b');
  for (const id of ids) t.equal(parseCallId(id), id);
});

t.test('an answer that did not finish is none', async (t) => {
  const text: LanguageModelV3StreamPart = { type: 'text-delta', id: '0', delta: 'Half' };
  t.throws(() => said([text]), { code: 'EPROTO' });
  t.throws(() => said([text, finish('other')]), { code: 'EPROTO' });
  t.throws(() => said([text, finish('error', 'x')]), { code: 'EPROTO' });
  t.throws(() => said([finish('content-filter', 'SAFETY')]), { code: 'EACCES' });
  t.match(
    said([finish('other', 'pause_turn')]),
    [{ type: 'message' }, { type: 'usage' }],
    'an unusual end is one',
  );
});
