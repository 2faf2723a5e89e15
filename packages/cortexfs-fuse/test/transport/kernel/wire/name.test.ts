import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { decodeName, decodeText, encodeListedName } from '../../../../src/transport/kernel/wire/name.ts';

t.test('a name that is decoded encodes to the same bytes', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 260 }), (raw) => {
      const bytes = Buffer.from(raw.filter((byte) => byte !== 0));
      let name: string;
      try {
        name = decodeName(bytes);
      } catch (error) {
        if (error instanceof CortexError) return;
        throw error;
      }
      t.same(encodeListedName(name), bytes);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (name) => {
      const bytes = encodeListedName(name);
      if (bytes && name !== '.' && name !== '..') t.equal(decodeName(bytes), name);
    }),
  );
  t.end();
});

t.test('a mark that decoders like to swallow stays', (t) => {
  t.equal(decodeText(Buffer.from([0xef, 0xbb, 0xbf, 0x61])), '\ufeffa');
  t.end();
});

t.test('names that no directory can hold are not listed', (t) => {
  for (const name of ['', 'a/b', 'a\0b', 'x'.repeat(256), '文'.repeat(86)])
    t.equal(encodeListedName(name), undefined);
  t.same(encodeListedName('.'), Buffer.from('.'));
  t.equal(encodeListedName('x'.repeat(255))?.length, 255);
  t.end();
});
