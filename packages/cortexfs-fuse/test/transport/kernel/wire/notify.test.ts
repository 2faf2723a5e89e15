import t from 'tap';
import { formatInvalidateEntry, formatInvalidateNode } from '../../../../src/transport/kernel/wire/notify.ts';

t.test('notices have number 0 and say in the error field what they are', (t) => {
  const node = formatInvalidateNode(2 ** 40);
  t.same([node.length, node.readUInt32LE(0), node.readInt32LE(4), node.readBigUInt64LE(8)], [40, 40, 2, 0n]);
  t.same(
    [16, 24, 32].map((at) => node.readBigInt64LE(at)),
    [2n ** 40n, 0n, 0n],
  );

  const entry = formatInvalidateEntry(5, '名');
  t.same(
    [entry.length, entry.readUInt32LE(0), entry.readInt32LE(4), entry.readBigUInt64LE(8)],
    [36, 36, 3, 0n],
  );
  t.same([entry.readBigUInt64LE(16), entry.readUInt32LE(24), entry.readUInt32LE(28)], [5n, 3, 0]);
  t.same(entry.subarray(32), Buffer.from('名\0'));
  t.end();
});
