import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { takeChange } from '../../../../src/transport/kernel/wire/change.ts';
import { Reply } from '../../../../src/transport/kernel/wire/reply.ts';
import { Request } from '../../../../src/transport/kernel/wire/request.ts';
import { message, text, u32, u64 } from '../support/kernel-client.ts';

const request = (...body: Buffer[]) => new Request(message(3, 0x1122334455667788n, 9n, Buffer.concat(body)));

t.test('the header', (t) => {
  const { opcode, unique, node, uid, gid, pid, isWhole, left } = request(u32(1));
  t.same(
    { opcode, unique, node, isWhole, left },
    { opcode: 3, unique: 0x1122334455667788n, node: 9, isWhole: true, left: 4 },
  );
  t.same({ uid, gid, pid }, { uid: process.getuid?.(), gid: process.getgid?.(), pid: process.pid });
  t.end();
});

t.test('fields are read in order, each within the message', (t) => {
  const body = request(u32(7), u64(2n ** 53n - 1n), u64(-5), text('名'), text('a b'), Buffer.from([1, 2, 3]));
  t.equal(body.u32(), 7);
  t.equal(body.u64(), Number.MAX_SAFE_INTEGER);
  t.equal(body.i64(), -5n);
  t.equal(body.name(), '名');
  t.equal(body.text(), 'a b');
  t.same(body.take(3), Buffer.from([1, 2, 3]));
  body.end();
  for (const read of [
    () => body.u32(),
    () => body.u64(),
    () => body.i64(),
    () => body.name(),
    () => body.take(1),
    () => body.skip(1),
  ]) {
    t.throws(read, { code: 'EINVAL' });
  }
  t.throws(() => request(u64(2n ** 53n)).u64(), { code: 'EINVAL' });
  t.throws(() => request(u32(1)).end(), { code: 'EINVAL' });
  t.end();
});

t.test('whatever the bytes, reading throws only typed errors', (t) => {
  const reads: ((request: Request) => unknown)[] = [
    (r) => r.u32(),
    (r) => r.u64(),
    (r) => r.i64(),
    (r) => r.name(),
    (r) => r.text(),
    (r) => r.take(5),
    (r) => r.node,
    (r) => takeChange(r),
    (r) => r.end(),
  ];
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 40, maxLength: 140 }),
      fc.array(fc.nat(reads.length - 1)),
      (bytes, order) => {
        const r = new Request(Buffer.from(bytes));
        for (const index of order) {
          try {
            reads[index]!(r);
          } catch (error) {
            if (!(error instanceof CortexError)) throw error;
          }
        }
      },
    ),
  );
  t.end();
});

t.test('what a reply writes, a request reads', (t) => {
  fc.assert(
    fc.property(
      fc.nat(0xffffffff),
      fc.maxSafeNat(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      (a, b, c) => {
        const reply = new Reply(64);
        reply.start(1, 2);
        reply
          .u32(a)
          .u64(b)
          .big(c)
          .u16(a % 65536);
        const body = request(Buffer.from(reply.finish(0).subarray(16)));
        t.same([body.u32(), body.u64(), body.i64()], [a, b, c]);
      },
    ),
    { numRuns: 200 },
  );
  t.end();
});

t.test('an error has no body, whatever was written before', (t) => {
  const reply = new Reply(64);
  reply.start(0xdeadbeef, 5);
  reply.u64(1).zeros(3).append(Buffer.from('abc'));
  t.equal(reply.length, 14);
  const bytes = reply.finish(13);
  t.same(
    [bytes.length, bytes.readInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)],
    [16, -13, 0xdeadbeef, 5],
  );
  t.end();
});
