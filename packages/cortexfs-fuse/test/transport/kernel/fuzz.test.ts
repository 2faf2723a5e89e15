import fc from 'fast-check';
import t from 'tap';
import { OPCODE } from '../../../src/transport/kernel/wire/opcode.ts';
import { KernelClient, message, text, u32, u64 } from './support/kernel-client.ts';

const opcode = fc.oneof(fc.constantFrom(...Object.values(OPCODE)), fc.nat(60));
const node = fc.oneof(fc.bigInt({ min: 0n, max: 6n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
const small = fc.oneof(fc.nat(8), fc.nat(0xffffffff));
const field = fc.oneof(
  small.map(u32),
  small.map(u64),
  fc.constantFrom(text('whoami'), text('new'), text('..'), text(''), text(Buffer.from([0xff]))),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const request = fc
  .tuple(opcode, node, fc.array(field, { maxLength: 8 }), fc.integer({ min: -8, max: 8 }))
  .map(([code, target, fields, lie]) => {
    const bytes = message(code, 99n, target, Buffer.concat(fields));
    // Now and then the header's length is not the message's.
    if (lie > 4) bytes.writeUInt32LE(Math.max(0, bytes.length + lie - 6), 0);
    return bytes;
  });

t.test('whatever the bytes, the answer is well formed and nothing is thrown', (t) => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
      const kernel = KernelClient.ready();
      for (const bytes of requests) kernel.raw(bytes);
    }),
    { numRuns: 400 },
  );
  t.end();
});

t.test('noise is dropped or refused', (t) => {
  const kernel = KernelClient.ready();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      const answer = kernel.raw(Buffer.from(bytes));
      return answer === undefined || answer.errno > 0;
    }),
    { numRuns: 500 },
  );
  t.end();
});

t.test('every prefix of a good request is refused, and the request still works afterwards', (t) => {
  const kernel = KernelClient.ready();
  const good = message(OPCODE.SYMLINK, 5n, 1n, Buffer.concat([text('name'), text('target')]));
  for (let length = 0; length < good.length; length++) {
    const cut = Buffer.from(good.subarray(0, length));
    if (length >= 4) cut.writeUInt32LE(length, 0);
    const answer = kernel.raw(cut);
    t.ok(length < 40 ? answer === undefined : answer!.errno > 0, `${length} bytes`);
  }
  t.equal(kernel.raw(good)?.errno, 0);
  t.end();
});
