import fc from 'fast-check';
import t from 'tap';
import { textOf } from '../../fs.read/text.ts';

t.test('whole UTF-8 is text, whatever it holds', async (t) => {
  for (const text of ['', 'plain\n', '\ufeffmark', 'a\0b', '中文 😀']) {
    t.same(textOf(Buffer.from(text), false), { text, length: Buffer.byteLength(text) });
  }
});

t.test('bytes that are not UTF-8 are no text, cut or not', async (t) => {
  for (const bytes of [[0xff], [0x80, 0x41], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0x41, 0xff, 0x41]]) {
    t.equal(textOf(Buffer.from(bytes), false), undefined);
    t.equal(textOf(Buffer.from([...bytes, 0x41]), true), undefined);
  }
});

t.test('a cut page ends with its last whole character', async (t) => {
  const bytes = Buffer.from('a😀');
  for (let length = 1; length < bytes.length; length++) {
    t.same(textOf(bytes.subarray(0, length), true), { text: 'a', length: 1 });
  }
  t.same(textOf(bytes, true), { text: 'a😀', length: 5 });
});

t.test('an incomplete character at the end of the file is not text', async (t) => {
  t.equal(textOf(Buffer.from('a😀').subarray(0, 3), false), undefined);
});

t.test('a page smaller than its only character is bytes, so that reading goes on', async (t) => {
  t.equal(textOf(Buffer.from('😀').subarray(0, 2), true), undefined);
});

t.test('pages of any size put together are the text', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 16 }), (text, size) => {
      const bytes = Buffer.from(text);
      let whole = '';
      for (let at = 0; at < bytes.length; ) {
        const page = textOf(bytes.subarray(at, at + size), at + size < bytes.length);
        if (page === undefined || page.length === 0) return false;
        whole += page.text;
        at += page.length;
      }
      return whole === text;
    }),
  );
});
