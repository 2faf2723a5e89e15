import fc from 'fast-check';
import t from 'tap';
import { atLine, control, invalid, MAX_CONTROL_BYTES } from '../../src/controls/codec.ts';
import { CortexError } from '../../src/errors.ts';
import { canonical, refused } from './expectations.ts';

const anything = control({ parse: (text) => text, format: (text) => text });

t.test('a control holds 64 KiB, not a byte more', async (t) => {
  t.equal(MAX_CONTROL_BYTES, 65_536);
  t.equal(anything.parse('x'.repeat(65_535)).length, 65_535);
  t.equal(anything.parse('x'.repeat(65_536)).length, 65_536);
  refused(t, anything, [['x'.repeat(65_537), '65536 bytes, this has 65537']], 'EMSGSIZE');
});

t.test('the limit counts bytes, not characters', async (t) => {
  t.doesNotThrow(() => anything.parse('é'.repeat(32_768)));
  refused(t, anything, [['é'.repeat(32_769), 'this has 65538']], 'EMSGSIZE');
});

t.test('NUL and lone surrogates are no text, pairs are', async (t) => {
  refused(t, anything, [
    ['a\0b', 'without NUL'],
    ['\ud800', 'Unicode text'],
    ['\udc00\ud800', 'Unicode text'],
  ]);
  canonical(t, anything, [['\u{1f600}', '\u{1f600}']]);
});

t.test('a refusal inside a line names the line, the innermost wins', async (t) => {
  const fail = () =>
    atLine(3, () =>
      atLine(7, () => {
        throw invalid('is wrong', { hint: 'do better' });
      }),
    );
  t.throws(fail, { code: 'EINVAL', message: 'is wrong', line: 7, hint: 'do better', layer: 'control' });
});

t.test('a fault of ours passes through as it is', async (t) => {
  t.throws(
    () =>
      atLine(1, () => {
        throw new TypeError('ours');
      }),
    { name: 'TypeError' },
  );
});

t.test('any text is read or refused by a CortexError', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        return anything.parse(text) === text;
      } catch (err) {
        return err instanceof CortexError;
      }
    }),
  );
});
