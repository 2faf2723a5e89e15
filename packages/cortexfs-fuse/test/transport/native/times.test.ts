import t from 'tap';
import { timesOf } from '../../../src/transport/native/times.ts';

function request(atime: bigint, mtime: bigint): Buffer {
  const bytes = Buffer.alloc(400);
  bytes.writeBigInt64LE(atime, 104);
  bytes.writeBigInt64LE(mtime, 112);
  return bytes;
}

t.test('both times are taken from the request, in nanoseconds', async (t) => {
  t.strictSame(timesOf(request(1500n, 2500n), 1500, 0), { atime: 1_500_000_000n, mtime: 2_500_000_000n });
  t.strictSame(timesOf(request(2n ** 32n + 1n, 0n), 1, 1), {
    atime: (2n ** 32n + 1n) * 1_000_000n,
    mtime: 0n,
  });
  t.equal(timesOf(request(0n, -1000n), 0, 0).mtime, -1_000_000_000n, 'before 1970');
});

t.test('a request that looks otherwise sets nothing', async (t) => {
  t.throws(() => timesOf(request(1500n, 2500n), 1501, 0), { code: 'ENOTSUP' });
  t.throws(() => timesOf(Buffer.alloc(100), 0, 0), { code: 'ENOTSUP' });
});
