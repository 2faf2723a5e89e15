import { SequenceBoundary } from '@cortexfs/abi/terminal/boundary';
import fc from 'fast-check';
import t from 'tap';
import { Drawn } from '../../src/screen/drawn.ts';

/** Feeds pieces that may end anywhere, as only very long sequences make them in earnest. */
function drawn(...pieces: string[]): string {
  const boundary = new SequenceBoundary();
  const filter = new Drawn();
  return pieces
    .map((text) => {
      const bytes = Buffer.from(text);
      boundary.push(bytes);
      const piece = { bytes, introducer: boundary.harmlessIntroducer, state: boundary.state };
      return filter.of(piece).toString();
    })
    .join('|');
}

t.test('ordinary output is drawn as it is', async (t) => {
  t.equal(drawn('a\x1b[31mb\x1b]0;t\x07', 'c'), 'a\x1b[31mb\x1b]0;t\x07|c');
});

t.test('a string that goes on over pieces is broken off and left out', async (t) => {
  t.equal(drawn('a\x1b]0;long', 'long', 'er\x07b', 'c'), 'a\x1b]0;long\x18||b|c');
  t.equal(drawn('a\x1bPlong\x1b', '\\b'), 'a\x1bPlong\x1b\x18|b');
  t.equal(drawn('\x1b]0;x', 'y\x07b\x1b]2;z', 'w\x07c'), '\x1b]0;x\x18|b\x1b]2;z\x18|c');
});

t.test('text outside of strings is never left out', async () => {
  const part = fc.oneof(
    fc.constant('TEXT'),
    fc.constantFrom('\x1b]0;', '\x1bP', '\x07', '\x1b\\', '\x1b[1m', 'é'),
  );
  fc.assert(
    fc.property(fc.array(part), fc.array(part), (first, second) => {
      const whole = drawn([...first, '\x07\x1b\\TEXT', ...second].join(''), '\x07\x1b\\', 'END');
      return whole.endsWith('END');
    }),
  );
});
