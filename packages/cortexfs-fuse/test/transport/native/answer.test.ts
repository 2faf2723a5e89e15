import fc from 'fast-check';
import t from 'tap';
import type { Attr } from '../../../src/core/file-system.ts';
import { attrNumbers, listedNumbers, sizeNumbers, wide } from '../../../src/transport/native/answer.ts';

const attr: Attr = {
  ino: 77n,
  mode: 0o100644,
  nlink: 2,
  uid: 1000,
  gid: 1001,
  rdev: 0,
  size: 5 * 2 ** 32 + 7,
  blocks: 9,
  blksize: 4096,
  atimeNs: 1_500_000_000_123_456_789n,
  mtimeNs: -1n,
  ctimeNs: 2_000_000n,
};

t.test('attributes keep their values in two halves, times lose what is below a millisecond', async (t) => {
  const numbers = attrNumbers(attr);
  const at = (index: number) => wide(numbers[index]!, numbers[index + 1]!);
  t.strictSame([...numbers.subarray(0, 3)], [0o100644, 1000, 1001]);
  t.strictSame([...numbers.subarray(6, 10)], [2, 77, 0, 4096]);
  t.equal(at(3), attr.size);
  t.equal(at(10), 9);
  t.equal(at(12), 1_500_000_000_123);
  t.equal(at(14), 0, 'nothing is before 1970');
  t.equal(at(16), 2);
  t.ok(attrNumbers().every((number) => number === 0));
});

t.test('any size below 2^53 comes back from its halves', async () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (size) => {
      const numbers = attrNumbers({ ...attr, size });
      return wide(numbers[3]!, numbers[4]!) === size;
    }),
  );
});

t.test('inode numbers: small ones stay, large ones are folded, none is 0', async (t) => {
  t.equal(listedNumbers({ ino: 0xffff_ffffn, type: 0o040000 })[7], 0xffff_ffff);
  t.equal(listedNumbers({ ino: 0n, type: 0 })[7], 1);
  t.equal(listedNumbers({ ino: 1n << 32n, type: 0 })[7], 1);
  t.equal(listedNumbers({ ino: (1n << 62n) | 5n, type: 0o040000 })[0], 0o040000);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (ino) => {
      const short = listedNumbers({ ino, type: 0 })[7]!;
      return short > 0 && (ino === 0n || ino >= 2n ** 32n || BigInt(short) === ino);
    }),
  );
});

t.test('a file system of more than 2^32 blocks is counted in larger ones', async (t) => {
  const size = { blockSize: 4096, files: 2 ** 40, filesFree: 3, nameMax: 255 };
  const small = sizeNumbers({ ...size, blocks: 2 ** 32 - 1, blocksFree: 20, blocksAvailable: 10 });
  t.strictSame([...small], [4096, 4096, 2 ** 32 - 1, 20, 10, 2 ** 32 - 1, 3, 3, 0, 0, 255]);
  const large = sizeNumbers({ ...size, blocks: 2 ** 34, blocksFree: 80, blocksAvailable: 43 });
  t.equal(large[0]! * large[2]!, 4096 * 2 ** 34);
  t.strictSame([...large.subarray(3, 5)], [10, 5]);
  t.ok(sizeNumbers().every((number) => number === 0));
});
