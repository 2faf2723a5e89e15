import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';
import t from 'tap';
import { AnswerStream } from '../../src/session/answer-stream.ts';

let seq = 0;
function event(body: Record<string, unknown>): AgentReply {
  seq += 1;
  return { id: `e${seq}`, seq, ts: '2026-01-01T00:00:00.000Z', run: 'r1', ...body } as unknown as AgentReply;
}
const delta = (text: string) => event({ type: 'delta', text });
const message = (text: string) =>
  event({ type: 'message', role: 'assistant', content: [{ type: 'text', text }] });

function shown(replies: readonly AgentReply[]): { answer: string; aside: string } {
  let answer = '';
  let aside = '';
  const stream = new AnswerStream(
    (text) => (answer += text),
    (text) => (aside += text),
  );
  for (const reply of replies) stream.take(reply);
  stream.end();
  return { answer, aside };
}

t.test('streamed text is not printed again by its message', async (t) => {
  t.equal(shown([delta('hel'), delta('lo'), message('hello')]).answer, 'hello\n');
});

t.test('a message that was not streamed is printed whole', async (t) => {
  t.equal(shown([message('one\n'), message('two')]).answer, 'one\ntwo\n');
});

t.test('control sequences are taken out, also split over two deltas', async (t) => {
  t.equal(shown([delta('a\x1b]52;c;'), delta('ZXZpbA==\x07b'), message('x')]).answer, 'ab\n');
});

t.test('tool calls are told aside, on one line', async (t) => {
  const { answer, aside } = shown([
    delta('so'),
    event({ type: 'tool_call', tool_call_id: 'c', name: 'fs.list', arguments: { path: '/a\x1b[2J' } }),
  ]);
  t.equal(answer, 'so\n');
  t.equal(aside, '· fs.list {"path":"/a\\u001b[2J"}\n');
});
