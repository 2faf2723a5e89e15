import fc from 'fast-check';
import t from 'tap';
import { SequenceBoundary } from '../../src/terminal/boundary.ts';

const units = [
  'a',
  'é',
  '日',
  '😀',
  '\x1b[31m',
  '\x1b[?25l',
  '\x1b]0;title\x07',
  '\x1b]2;t\x1b\\',
  '\x1bP$q"p\x1b\\',
  '\x1b(B',
  '\x1b7',
  '\u009b1m',
  '\r',
  '\n',
];

t.test('a cut never falls inside a character or a control sequence', async () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...units), { minLength: 1 }), fc.nat(), (parts, n) => {
      const ends = new Set<number>([0]);
      let length = 0;
      for (const part of parts) {
        length += Buffer.byteLength(part);
        ends.add(length);
      }
      const bytes = Buffer.from(parts.join(''));
      const at = n % (bytes.length + 1);
      const boundary = new SequenceBoundary();
      const first = boundary.push(bytes.subarray(0, at));
      // Of several possible cuts it is the last one.
      const last = Math.max(...[...ends].filter((end) => end <= at));
      if (first !== last || boundary.whole !== (last === at)) return false;
      return at + boundary.push(bytes.subarray(at)) === bytes.length;
    }),
    { numRuns: 1000 },
  );
});

t.test('random bytes in random pieces never upset it', async () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      const boundary = new SequenceBoundary();
      return chunks.every((chunk) => {
        const cut = boundary.push(chunk);
        return cut >= 0 && cut <= chunk.length && (!boundary.whole || cut === chunk.length);
      });
    }),
  );
});

t.test('the introducer names a sequence of the unfinished kind', async (t) => {
  const introducerAfter = (text: string): string => {
    const boundary = new SequenceBoundary();
    boundary.push(Buffer.from(text));
    return boundary.harmlessIntroducer;
  };
  t.equal(introducerAfter('plain'), '');
  t.equal(introducerAfter('\x1b]0;half a title'), '\x1b]99999;');
  t.equal(introducerAfter('\x1bPhalf a string'), '\x1b_');
  t.equal(introducerAfter('\x1b]0;title\x1b'), '\x1b]99999;\x1b');
  t.equal(introducerAfter('\x1b[38;2'), '\x1b[0<');
});

t.test('100 MB of plain text take a moment', async (t) => {
  const boundary = new SequenceBoundary();
  const piece = Buffer.alloc(1024 * 1024, 'plain text ');
  for (let i = 0; i < 100; i++) t.equal(boundary.push(piece), piece.length);
});
