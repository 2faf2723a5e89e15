import fc from 'fast-check';
import t from 'tap';
import { pieces } from '../../src/stdio/pieces.ts';

t.test('pieces put together are the text, and none is longer than asked', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, longest) => {
      const parts = pieces(text, longest);
      return parts.join('') === text && parts.every((part) => part.length > 0 && part.length <= longest);
    }),
  );
});

t.test('no piece cuts a character', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 9 }), (text, longest) =>
      pieces(text, longest).every((part) => !/[\ud800-\udfff]/u.test(part)),
    ),
  );
});

t.test('an empty text has no pieces', async (t) => {
  t.same(pieces(''), []);
});
