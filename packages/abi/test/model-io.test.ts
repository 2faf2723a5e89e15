import fc from 'fast-check';
import t from 'tap';
import {
  type ModelFrame,
  type ModelMessage,
  messageText,
  type Part,
  parseMessages,
  parseModelFrame,
  parseModelInput,
} from '../src/model-io.ts';
import {
  anyText,
  callId,
  jsonObject,
  nearFrame,
  objectName,
  overTheWire,
  parsesOrRefuses,
  runId,
} from './arbitrary.ts';
import { holds } from './property.ts';

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText }),
  fc.record({ type: fc.constant('tool_call' as const), id: callId, name: objectName, arguments: jsonObject }),
  fc.record({
    type: fc.constant('tool_result' as const),
    tool_call_id: callId,
    name: objectName,
    status: fc.constantFrom('ok' as const, 'error' as const),
    content: anyText,
  }),
);
const message: fc.Arbitrary<ModelMessage> = fc.record({
  role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
  content: fc.oneof(anyText, fc.array(part, { maxLength: 3 })),
});

t.test('plain text is one user message', async (t) => {
  for (const text of ['hello', '', '{', '{"a":1}', '{"a":', '["messages"]', ' {"x":"messages"}'])
    t.same(parseModelInput(text), { messages: [{ role: 'user', content: text }] });
});

t.test('an object with messages is the conversation', async (t) => {
  t.same(parseModelInput('{"messages":[{"role":"user","content":"hello"}]}'), {
    messages: [{ role: 'user', content: 'hello' }],
  });
  const tools = [{ name: 'fs.list', description: 'List', schema: { type: 'object' } }];
  t.same(parseModelInput(JSON.stringify({ messages: [], tools, temperature: 1 })), { messages: [], tools });
});

t.test('a wrong conversation is EINVAL, with the place', async (t) => {
  const faults: [unknown, string][] = [
    [{ messages: 1 }, '"messages": expected an array, not a number'],
    [
      { messages: [{ role: 'root', content: '' }] },
      '"messages[0].role": expected "system" or "user" or "assistant" or "tool", not "root"',
    ],
    [{ messages: [{ role: 'user' }] }, '"messages[0]": the field "content" is missing'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image' }] }] },
      '"messages[0].content[0]": unknown type "image"',
    ],
    [
      { messages: [], tools: [{ name: '../x', description: '', schema: {} }] },
      '"tools[0].name": "../x" is not a valid object name',
    ],
  ];
  for (const [value, why] of faults) {
    const error = t.throws(() => parseModelInput(JSON.stringify(value)), { code: 'EINVAL' }) as Error;
    t.ok(error.message.startsWith(`invalid model input: ${why}`), error.message);
  }
});

t.test('the text of a message is what its parts say', async (t) => {
  t.equal(messageText({ role: 'user', content: 'a' }), 'a');
  const content = [
    { type: 'text', text: 'a' },
    { type: 'tool_call', id: 'c', name: 'x', arguments: {} },
    { type: 'tool_result', tool_call_id: 'c', name: 'x', status: 'ok', content: 'b' },
  ] as Part[];
  t.equal(messageText({ role: 'tool', content }), 'ab');
});

const frames = [
  { type: 'start', run: 'r1', model: 'openai/gpt-5.6' },
  { type: 'delta', run: 'r1', text: 'hello' },
  { type: 'reasoning_delta', text: 'hm' },
  { type: 'message', run: 'r1', role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
  { type: 'tool_call', run: 'r1', id: 'call-1', name: 'fs.list', arguments: { path: '/workspace' } },
  { type: 'usage', run: 'r1', input_tokens: 3, output_tokens: 0 },
  { type: 'error', run: 'r1', code: 'ETIMEDOUT', message: 'no first token within 30 s', hint: 'try again' },
  { type: 'done', run: 'r1', status: 'ok' },
];

t.test('every frame of a model is read, other fields are ignored', async (t) => {
  for (const frame of frames) t.same(parseModelFrame({ ...frame, extra: [1] }), frame, frame.type);
});

t.test('a wrong frame is EINVAL', async (t) => {
  const bad = [
    {},
    { type: 'pong' },
    { type: 'delta' },
    { type: 'delta', text: 1 },
    { type: 'delta', text: '', run: '../up' },
    { type: 'tool_call', id: 'c', name: 'x', arguments: '{}' },
    { type: 'tool_call', id: '', name: 'x', arguments: {} },
    { type: 'message', content: 'hello' },
    { type: 'message', role: 'user', content: [] },
    { type: 'usage', input_tokens: -1 },
    { type: 'error', code: 'oops', message: '' },
    { type: 'done', status: 'fine' },
  ];
  for (const frame of bad)
    t.throws(() => parseModelFrame(frame as never), { code: 'EINVAL', message: /^invalid model frame: / });
});

t.test('property: conversations come back', async (t) => {
  holds(
    t,
    fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
      const json = JSON.stringify(messages);
      return (
        JSON.stringify(parseMessages(json)) === json &&
        JSON.stringify(parseModelInput(`{"messages":${json}}`).messages) === json
      );
    }),
  );
});

t.test('property: text frames come back', async (t) => {
  holds(
    t,
    fc.property(
      runId,
      anyText,
      fc.constantFrom('delta' as const, 'reasoning_delta' as const),
      (run, text, type) => {
        const frame: ModelFrame = { type, run, text };
        return JSON.stringify(parseModelFrame(overTheWire(frame))) === JSON.stringify(frame);
      },
    ),
  );
});

t.test('property: anything is read or refused', async (t) => {
  const words = [
    'type',
    'start',
    'delta',
    'message',
    'tool_call',
    'usage',
    'error',
    'done',
    'run',
    'text',
    'content',
    'messages',
  ];
  holds(
    t,
    fc.property(nearFrame(words), (frame) =>
      [
        () => parseModelFrame(frame),
        () => parseModelInput(JSON.stringify(frame)),
        () => parseMessages(JSON.stringify([frame])),
      ].every(parsesOrRefuses),
    ),
  );
});
