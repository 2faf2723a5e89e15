import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { Coalescer, type Piece } from '../../src/output/coalescer.ts';

function collect(): { pieces: Piece[]; coalescer: Coalescer } {
  const pieces: Piece[] = [];
  return { pieces, coalescer: new Coalescer((piece) => pieces.push(piece)) };
}
const textOf = (pieces: Piece[]) => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1');

t.test('many small reads become few pieces', async (t) => {
  const { pieces, coalescer } = collect();
  for (let i = 0; i < 1000; i++) coalescer.push(Buffer.from(`line ${i}\n`));
  coalescer.end();
  t.ok(pieces.length <= 2);
  t.equal(textOf(pieces).split('\n').length, 1001);
});

t.test('the first output after a silence goes out at once, the next within 8 ms or so', async (t) => {
  const { pieces, coalescer } = collect();
  coalescer.push(Buffer.from('a'));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  t.equal(textOf(pieces), 'a');
  coalescer.push(Buffer.from('b'));
  coalescer.push(Buffer.from('c'));
  t.equal(pieces.length, 1);
  await delay(50);
  t.equal(pieces.length, 2);
});

t.test('an unfinished sequence waits, but not for ever', async (t) => {
  const { pieces, coalescer } = collect();
  coalescer.push(Buffer.from('text\x1b[3'));
  coalescer.flush();
  t.equal(textOf(pieces), 'text');
  coalescer.push(Buffer.from(`1m\x1b]0;${'x'.repeat(5000)}`));
  coalescer.flush();
  t.match(pieces.at(-1), { introducer: '\x1b]99999;' });
  coalescer.push(Buffer.from('y\x07z'));
  coalescer.flush();
  t.match(pieces.at(-1), { introducer: '' });
});

t.test(
  'a long sequence is passed on as it comes, and each of its pieces says that it ends inside',
  async (t) => {
    const { pieces, coalescer } = collect();
    const title = `\x1b]0;${'x'.repeat(5000)}`;
    coalescer.push(Buffer.from(title));
    // Before the first piece went out.
    coalescer.push(Buffer.from('y'.repeat(100)));
    coalescer.flush();
    t.equal(textOf(pieces), `${title}${'y'.repeat(100)}`, 'nothing waits any more');
    t.match(pieces.at(-1), { introducer: '\x1b]99999;' });
    coalescer.push(Buffer.from('z'));
    coalescer.flush();
    t.match(pieces.at(-1), { introducer: '\x1b]99999;' });
    t.equal(pieces.length, 2);
    coalescer.push(Buffer.from('\x07after\x1b]0;short'));
    coalescer.flush();
    t.match(pieces.at(-1), { introducer: '' });
    t.ok(textOf(pieces).endsWith('after'), 'the next sequence is waited for again');
  },
);

t.test('nothing is lost, repeated or reordered, however it is cut', async () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.boolean())), (reads) => {
      const { pieces, coalescer } = collect();
      for (const [chunk, flush] of reads) {
        coalescer.push(Buffer.from(chunk));
        if (flush) coalescer.flush();
      }
      coalescer.end();
      return textOf(pieces) === Buffer.concat(reads.map(([chunk]) => chunk)).toString('latin1');
    }),
  );
});
