import fc from 'fast-check';
import t from 'tap';
import type { RunId } from '../src/names.ts';
import { parseToolFrame, type ToolFrame, ToolOutput, textResult } from '../src/tool-io.ts';
import { anyText, nearFrame, overTheWire, parsesOrRefuses, runId } from './arbitrary.ts';
import { holds } from './property.ts';

const run = 'r1' as RunId;
const start: ToolFrame = { type: 'start', run };
const done: ToolFrame = { type: 'done', run, status: 'ok' };
const failed: ToolFrame = { type: 'done', run, status: 'error' };
const delta = (text: string): ToolFrame => ({ type: 'delta', run, text });
const message = (...texts: string[]): ToolFrame => ({
  type: 'message',
  run,
  content: texts.map((text) => ({ type: 'text', text })),
});

function resultOf(...frames: ToolFrame[]) {
  const output = new ToolOutput();
  for (const frame of frames) output.add(frame);
  return output.result();
}

t.test('every frame of a tool is read, other fields are ignored', async (t) => {
  const error = {
    type: 'error',
    run,
    code: 'ENOENT',
    message: 'no such file',
    path: 'x',
    hint: 'look around',
  };
  for (const frame of [start, delta('a'), message('a', 'b'), error, failed])
    t.same(parseToolFrame({ ...overTheWire(frame), extra: 1 }), frame);
});

t.test('a wrong frame is EINVAL', async (t) => {
  const bad = [
    { type: 'start' },
    { type: 'tool_call', run },
    { type: 'message', run, content: 'raw' },
    { type: 'error', run, code: 'E', message: '' },
    { type: 'done', run },
  ];
  for (const frame of bad)
    t.throws(() => parseToolFrame(frame), { code: 'EINVAL', message: /^invalid tool frame: / });
});

t.test('the result is the text of the messages, else of the deltas', async (t) => {
  t.same(resultOf(start, message('a', 'b'), message('c'), done), { status: 'ok', content: 'abc' });
  t.same(resultOf(start, delta('a'), delta('b'), done), { status: 'ok', content: 'ab' });
  t.same(
    resultOf(start, delta('a'), message('a'), done),
    { status: 'ok', content: 'a' },
    'deltas repeated by a message',
  );
  t.same(resultOf(start, done), { status: 'ok', content: '' });
  t.same(resultOf(start, message('a'), failed), { status: 'error', content: 'a' });
});

t.test('an error is the result, with its errno name, whatever done says', async (t) => {
  const error: ToolFrame = { type: 'error', run, code: 'ENOENT', message: 'no such file' };
  const result = { status: 'error', content: 'ENOENT: no such file', code: 'ENOENT' };
  t.same(resultOf(start, delta('a'), error, failed), result);
  t.same(resultOf(start, error, done), result);
  t.same(resultOf(start, error), result, 'a tool that died after its error');
});

t.test('output out of order is EPROTO, never a success', async (t) => {
  const cases: [ToolFrame[], RegExp][] = [
    [[], /ended without a done frame/],
    [[start], /ended without a done frame/],
    [[start, message('a')], /ended without a done frame/],
    [[message('a'), done], /a message frame before start/],
    [[start, start, done], /a second start frame/],
    [[start, done, message('a')], /a message frame after done/],
    [[start, done, done], /a done frame after done/],
    [[start, { type: 'delta', run: 'r2' as RunId, text: 'a' }, done], /a frame of another run, r2/],
  ];
  for (const [frames, content] of cases)
    t.match(resultOf(...frames), { status: 'error', code: 'EPROTO', content });
});

t.test('property: a plain text result comes back', async (t) => {
  holds(
    t,
    fc.property(runId, anyText, (run, text) => {
      const output = new ToolOutput();
      for (const frame of textResult(run, text)) output.add(parseToolFrame(overTheWire(frame)));
      const { status, content } = output.result();
      return status === 'ok' && content === text;
    }),
  );
});

t.test('property: anything is read or refused', async (t) => {
  const words = [
    'type',
    'run',
    'start',
    'delta',
    'message',
    'error',
    'done',
    'status',
    'ok',
    'text',
    'content',
    'code',
    'EIO',
  ];
  holds(
    t,
    fc.property(nearFrame(words), (frame) => parsesOrRefuses(() => parseToolFrame(frame))),
  );
});
