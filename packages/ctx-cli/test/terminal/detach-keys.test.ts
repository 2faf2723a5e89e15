import fc from 'fast-check';
import t from 'tap';
import { DetachKeys } from '../../src/terminal/detach-keys.ts';

t.test('Ctrl-\\ d leaves, also typed in two reads', async (t) => {
  const keys = new DetachKeys();
  t.same(keys.take(Buffer.from('ab\x1c')), { bytes: Buffer.from('ab'), detach: false });
  t.same(keys.take(Buffer.from('dz')), { bytes: Buffer.alloc(0), detach: true });
});

t.test('Ctrl-\\ twice sends one, Ctrl-\\ and another key sends both', async (t) => {
  t.same(new DetachKeys().take(Buffer.from('\x1c\x1c')).bytes, Buffer.from('\x1c'));
  t.same(new DetachKeys().take(Buffer.from('\x1cx')).bytes, Buffer.from('\x1cx'));
});

t.test('bytes without the prefix pass unchanged', async () => {
  fc.assert(
    fc.property(fc.uint8Array(), (typed) => {
      const bytes = typed.filter((byte) => byte !== 0x1c);
      return new DetachKeys().take(bytes).bytes.equals(Buffer.from(bytes));
    }),
  );
});
