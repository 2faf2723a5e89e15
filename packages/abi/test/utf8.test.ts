import fc from 'fast-check';
import t from 'tap';
import { truncateUtf8 } from '../src/utf8.ts';
import { anyText } from './arbitrary.ts';
import { holds } from './property.ts';

t.test('a text that fits is whole', async (t) => {
  t.same(truncateUtf8('é', 2), { text: 'é', truncated: false });
  t.same(truncateUtf8('', 0), { text: '', truncated: false });
});

t.test('a text is cut between characters', async (t) => {
  t.same(truncateUtf8('aé', 2), { text: 'a', truncated: true });
  t.same(truncateUtf8('a😀b', 4), { text: 'a', truncated: true });
  t.same(truncateUtf8('a😀b', 5), { text: 'a😀', truncated: true });
  t.same(truncateUtf8('é', 1), { text: '', truncated: true });
  t.same(truncateUtf8('a', 0), { text: '', truncated: true });
});

t.test('property: the longest beginning that fits', async (t) => {
  holds(
    t,
    fc.property(anyText, fc.nat(80), (text, max) => {
      const cut = truncateUtf8(text, max);
      const next = String.fromCodePoint(text.codePointAt(cut.text.length) ?? 0);
      const fits = Buffer.byteLength(cut.text) <= max;
      const longest = !cut.truncated || Buffer.byteLength(cut.text + next) > max;
      return text.startsWith(cut.text) && fits && longest && cut.truncated === (cut.text !== text);
    }),
  );
});
