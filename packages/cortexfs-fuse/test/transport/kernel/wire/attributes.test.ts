import fc from 'fast-check';
import t from 'tap';
import type { Attr } from '../../../../src/core/file-system.ts';
import { putAttrReply, putEntry } from '../../../../src/transport/kernel/wire/attributes.ts';
import { Reply } from '../../../../src/transport/kernel/wire/reply.ts';

const u32 = fc.nat(0xffffffff);
const size = fc.maxSafeNat();
const time = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n });
const attr: fc.Arbitrary<Attr> = fc.record({
  ino: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  mode: u32,
  nlink: u32,
  uid: u32,
  gid: u32,
  rdev: u32,
  size,
  blocks: size,
  blksize: u32,
  atimeNs: time,
  mtimeNs: time,
  ctimeNs: time,
});
const ttl = fc.oneof(fc.nat(10_000), fc.constantFrom(0, 0.5, 999, 1000, 86_400_000));

/** `struct fuse_attr`, read by hand. */
function parseAttr(bytes: Buffer): Attr {
  const long = (at: number) => bytes.readBigUInt64LE(at);
  const time = (seconds: number, nanoseconds: number) =>
    bytes.readBigInt64LE(seconds) * 1_000_000_000n + BigInt(bytes.readUInt32LE(nanoseconds));
  return {
    ino: long(0),
    size: Number(long(8)),
    blocks: Number(long(16)),
    atimeNs: time(24, 48),
    mtimeNs: time(32, 52),
    ctimeNs: time(40, 56),
    mode: bytes.readUInt32LE(60),
    nlink: bytes.readUInt32LE(64),
    uid: bytes.readUInt32LE(68),
    gid: bytes.readUInt32LE(72),
    rdev: bytes.readUInt32LE(76),
    blksize: bytes.readUInt32LE(80),
  };
}

const ttlAt = (bytes: Buffer, seconds: number, nanoseconds: number) =>
  Number(bytes.readBigUInt64LE(seconds)) * 1000 + bytes.readUInt32LE(nanoseconds) / 1e6;

t.test('attributes come back as they were given', (t) => {
  fc.assert(
    fc.property(attr, ttl, (attr, attrTtl) => {
      const reply = new Reply(104);
      putAttrReply(reply, { attr, attrTtl });
      const body = reply.finish(0).subarray(16);
      t.equal(body.length, 104);
      t.same(parseAttr(body.subarray(16)), attr);
      t.equal(ttlAt(body, 0, 8), attrTtl);
      t.ok(
        [48, 52, 56].every((at) => body.readUInt32LE(16 + at) < 1e9),
        'nanoseconds within a second',
      );
    }),
    { numRuns: 200 },
  );
  t.end();
});

t.test('so do entries, each with two times to live', (t) => {
  fc.assert(
    fc.property(
      attr,
      fc.maxSafeNat(),
      fc.maxSafeNat(),
      ttl,
      ttl,
      (attr, node, generation, entryTtl, attrTtl) => {
        const reply = new Reply(128);
        putEntry(reply, { node, generation, attr, entryTtl, attrTtl });
        const body = reply.finish(0).subarray(16);
        t.equal(body.length, 128);
        t.same([body.readBigUInt64LE(0), body.readBigUInt64LE(8)], [BigInt(node), BigInt(generation)]);
        t.equal(ttlAt(body, 16, 32), entryTtl);
        t.equal(ttlAt(body, 24, 36), attrTtl);
        t.same(parseAttr(body.subarray(40)), attr);
      },
    ),
    { numRuns: 200 },
  );
  t.end();
});
