import type { ModelMessage } from '@cortexfs/abi/model-io';
import { parseCallId, parseObjectName } from '@cortexfs/abi/names';
import t from 'tap';
import { promptOf } from '../../src/network/prompt.ts';
import { ToolNames } from '../../src/network/tool-names.ts';

const prompt = (...messages: ModelMessage[]) => promptOf({ messages }, new ToolNames({ messages }));
const name = parseObjectName('fs.read');
const id = parseCallId('call-1');

t.test('each role has its shape', async (t) => {
  const conversation = prompt(
    { role: 'system', content: 'You are coder.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'read ' },
        { type: 'text', text: 'a' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Yes.' },
        { type: 'tool_call', id, name, arguments: { path: 'a' } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool_result', tool_call_id: id, name, status: 'error', content: 'ENOENT' }],
    },
    { role: 'assistant', content: 'It is not there.' },
  );
  t.strictSame(conversation, [
    { role: 'system', content: 'You are coder.' },
    { role: 'user', content: [{ type: 'text', text: 'read a' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Yes.' },
        { type: 'tool-call', toolCallId: 'call-1', toolName: 'fs_read', input: { path: 'a' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call-1',
          toolName: 'fs_read',
          output: { type: 'error-text', value: 'ENOENT' },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'It is not there.' }] },
  ]);
});

t.test('nothing empty is sent, and a result without its call is text', async (t) => {
  t.strictSame(prompt({ role: 'user', content: '' }, { role: 'assistant', content: [] }), []);
  t.strictSame(prompt({ role: 'tool', content: 'seven files' }), [
    { role: 'user', content: [{ type: 'text', text: 'seven files' }] },
  ]);
});
