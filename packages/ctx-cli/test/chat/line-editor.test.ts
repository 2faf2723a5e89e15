import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { LineEditor, type Seat } from '../../src/chat/line-editor.ts';

// node's readline edits nothing on a dumb terminal.
process.env['TERM'] = 'xterm';

/** A terminal whose keyboard is the test. */
function seat() {
  let raw = false;
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(mode: boolean) {
      raw = mode;
      return input;
    },
  });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let shown = '';
  output.on('data', (chunk) => (shown += chunk));
  return {
    seat: { input, output } as unknown as Seat,
    async type(text: string) {
      input.write(text);
      for (let i = 0; i < 5; i++) await turn();
    },
    raw: () => raw,
    /** What the screen got since the last look. */
    shown() {
      const seen = shown;
      shown = '';
      return seen;
    },
  };
}

function editor(t: Test, history: string[] = []) {
  const person = seat();
  const lines = new LineEditor('> ', history, person.seat);
  t.teardown(() => lines.close());
  return { ...person, lines };
}

t.test('each typed character is shown once, also at the twelfth prompt', async (t) => {
  const { lines, type, shown } = editor(t);
  const warnings: string[] = [];
  const warned = (warning: Error) => warnings.push(warning.name);
  process.on('warning', warned);
  t.teardown(() => process.off('warning', warned));
  for (let prompt = 1; prompt <= 12; prompt++) {
    const line = lines.next();
    shown();
    await type('w');
    t.equal(shown(), 'w');
    await type('\r');
    t.equal(await line, 'w');
    t.equal(shown(), '\r\n');
  }
  t.same(warnings, []);
});

t.test('the terminal is raw only while a line is awaited', async (t) => {
  const { lines, type, raw } = editor(t);
  t.equal(raw(), false);
  const line = lines.next();
  t.equal(raw(), true);
  await type('x\r');
  await line;
  t.equal(raw(), false);
});

t.test('lines that come faster than they are asked for are kept, in order', async (t) => {
  const { lines, type } = editor(t);
  const first = lines.next();
  await type('one\rtwo\rthree\r');
  t.equal(await first, 'one');
  t.equal(await lines.next(), 'two');
  t.equal(await lines.next(), 'three');
  const last = lines.next();
  await type('four\r');
  t.equal(await last, 'four');
});

t.test('what is typed while nothing is awaited is the next line', async (t) => {
  const { lines, type } = editor(t);
  const first = lines.next();
  await type('one\r');
  await first;
  await type('two\r');
  t.equal(await lines.next(), 'two');
});

t.test('a line that is taken while nothing is awaited is no next line', async (t) => {
  const { lines, type } = editor(t);
  const first = lines.next();
  await type('one\r');
  await first;
  const offered: string[] = [];
  const release = lines.meanwhile((line) => offered.push(line) > 0 && line === '/mine');
  await type('/mine\r');
  await type('kept\r');
  const question = lines.ask('[y/N] ');
  await type('/mine\r');
  t.equal(await question, '/mine', 'the answer to a question is nobody else’s');
  release();
  await type('/mine\r');
  t.strictSame(offered, ['/mine', 'kept']);
  t.equal(await lines.next(), 'kept');
  t.equal(await lines.next(), '/mine');
});

t.test('what is typed ahead keeps its order, however it is cut', async (t) => {
  for (const pieces of [
    ['two\r', 'three\r', 'four\r'],
    ['two\rthree\r', 'four\r'],
    ['tw', 'o\r', 'three\r', 'four\r'],
    ['two\rthr', 'ee\r', 'four\r'],
    ['two\r', 'thr', 'ee\rfour\r'],
  ]) {
    const { lines, type } = editor(t);
    const first = lines.next();
    await type('one\r');
    await first;
    for (const piece of pieces) await type(piece);
    for (const line of ['two', 'three', 'four']) t.equal(await lines.next(), line, pieces.join('|'));
  }
});

t.test('Ctrl-D on an empty line leaves', async (t) => {
  const { lines, type } = editor(t);
  const left = lines.next();
  await type('\x04');
  t.equal(await left, undefined);
});

t.test('a pasted text of several lines is one input', async (t) => {
  const { lines, type } = editor(t);
  const line = lines.next();
  await type('\x1b[200~one\ntwo\x1b[201~\r');
  t.equal(await line, 'one␊two');
});

t.test('characters of two columns and of several bytes are edited whole', async (t) => {
  const { lines, type } = editor(t);
  const line = lines.next();
  await type('你好世界');
  for (const key of ['\x7f', '\x1b[D', 'ü', '\r']) await type(key);
  t.equal(await line, '你好ü世');
});

t.test('an answer comes after its question and stays out of the history', async (t) => {
  const { lines, type } = editor(t, ['older']);
  const first = lines.next();
  await type('first\rearly\r');
  await first;
  const answer = lines.ask('allow?\n[y/N] ');
  await type('y\r');
  t.equal(await answer, 'y', 'a line from before the question is no answer');
  t.equal(await lines.next(), 'early');
  const recalled = lines.next();
  await type('\x1b[A\x1b[A\x1b[A\r');
  t.equal(await recalled, 'older');
});

t.test('lines without a terminal end with the input', async (t) => {
  const input = new PassThrough();
  const lines = new LineEditor('> ', [], {
    input: input as unknown as NodeJS.ReadStream,
    output: new PassThrough() as unknown as NodeJS.WriteStream,
  });
  t.teardown(() => lines.close());
  input.end('one\ntwo');
  t.equal(await lines.next(), 'one');
  t.equal(await lines.next(), 'two');
  t.equal(await lines.next(), undefined);
});

t.test('Ctrl-C drops a half-typed line, wherever the cursor is; on an empty line it leaves', async (t) => {
  const { lines, type, shown } = editor(t);
  const line = lines.next();
  await type('half a line');
  await type('\x1b[D\x1b[D\x1b[D');
  shown();
  await type('\x03');
  t.match(shown(), /\^C\n\x1b\[1G\x1b\[0J> /, 'the prompt is there again');
  await type('whole\r');
  t.equal(await line, 'whole', 'nothing of it is left');
  const last = lines.next();
  await type('x\x03\x03');
  t.equal(await last, undefined);
});
