import fc from 'fast-check';
import t from 'tap';
import { BREAK, pasteFilter, withLineBreaks } from '../../src/chat/paste.ts';

async function filtered(chunks: readonly string[], take?: (line: string) => boolean): Promise<string> {
  const filter = pasteFilter(take);
  for (const chunk of chunks) filter.write(chunk);
  filter.end();
  let out = '';
  for await (const piece of filter) out += piece;
  return out;
}

t.test('line breaks of a paste become one mark each', async (t) => {
  const out = await filtered(['\x1b[200~one\r\ntwo\rthree\nfour\x1b[201~\r']);
  t.equal(out, `one${BREAK}two${BREAK}three${BREAK}four\r`);
  t.equal(withLineBreaks(out.slice(0, -1)), 'one\ntwo\nthree\nfour');
});

t.test('typed text passes, also a lone ESC and arrow keys', async (t) => {
  t.equal(await filtered(['a\r', '\x1b', '\x1b[A', '中文']), 'a\r\x1b\x1b[A中文');
});

t.test('where chunks are cut changes nothing', async () => {
  const text = 'x\x1b[200~a\nb\x1b[201~y\r';
  const whole = await filtered([text]);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: text.length - 1 })), async (cuts) => {
      const sorted = [0, ...cuts.sort((a, b) => a - b), text.length];
      // A chunk that ends in a lone ESC is a key press and passes on: cut elsewhere.
      const safe = sorted.filter((cut) => text[cut - 1] !== '\x1b');
      const chunks = safe.slice(1).map((cut, index) => text.slice(safe[index], cut));
      return (await filtered(chunks)) === whole;
    }),
  );
});

t.test('typed text is offered as it came, pasted text is not', async (t) => {
  const offered: string[] = [];
  const take = (typed: string) => {
    offered.push(typed);
    return typed.startsWith('/');
  };
  const chunks = [
    'a',
    '/b\n',
    'c\n',
    '/d\r/e\n',
    '\x1b[200~',
    '/f\n',
    '\x1b[201~',
    '/g',
    '\x1b[2',
    '00~/h\x1b[201~',
  ];
  const out = await filtered(chunks, take);
  t.strictSame(offered, ['a', '/b\n', 'c\n', '/d\r/e\n', '/g']);
  t.equal(out, `ac\n/f${BREAK}/h`);
});
