import fc from 'fast-check';
import t from 'tap';
import {
  type DecodedFrame,
  decodeFrame,
  decodeUtf8,
  encodeFrame,
  FrameDecoder,
  MAX_FRAME_BYTES,
} from '../src/jsonl.ts';
import { hostileText, jsonObject, overTheWire, parsesOrRefuses } from './arbitrary.ts';
import { holds } from './property.ts';

const line = (text: string) => Buffer.from(`${text}\n`);
const values = (frames: DecodedFrame[]) => frames.map((frame) => (frame.ok ? frame.value : frame.error.code));

/** A frame of exactly so many bytes with its newline. */
const frameOf = (bytes: number) => line(`{"a":"${'x'.repeat(bytes - '{"a":""}\n'.length)}"}`);

t.test('frames come out in order, however the bytes are cut', async (t) => {
  const bytes = Buffer.concat([line('{"a":1}'), line('{"b":"é😀"}'), line('{}')]);
  for (const size of [1, 2, 3, 5, 100]) {
    const decoder = new FrameDecoder();
    const frames: DecodedFrame[] = [];
    for (let at = 0; at < bytes.length; at += size)
      frames.push(...decoder.push(bytes.subarray(at, at + size)));
    t.same(values(frames), [{ a: 1 }, { b: 'é😀' }, {}], `pieces of ${size}`);
    t.equal(decoder.end(), 0);
  }
});

t.test('a frame tells its length on the wire', async (t) => {
  const decoder = new FrameDecoder();
  decoder.push(Buffer.from('{"a"'));
  t.match(decoder.push(Buffer.from(':1}\r\n')), [{ ok: true, value: { a: 1 }, bytes: 9 }]);
});

t.test('the limit is 1 MiB with the newline: minus one, exactly, plus one', async (t) => {
  const decoder = new FrameDecoder();
  for (const pieces of [1, 7]) {
    for (const [bytes, expected] of [
      [MAX_FRAME_BYTES - 1, true],
      [MAX_FRAME_BYTES, true],
      [MAX_FRAME_BYTES + 1, false],
    ] as const) {
      const whole = frameOf(bytes);
      t.equal(whole.length, bytes);
      const step = Math.ceil(bytes / pieces);
      const frames: DecodedFrame[] = [];
      for (let at = 0; at < bytes; at += step) frames.push(...decoder.push(whole.subarray(at, at + step)));
      t.equal(frames.length, 1);
      t.equal(frames[0]?.ok, expected, `${bytes} bytes in ${pieces} pieces`);
      t.same(values(decoder.push(line('{"next":1}'))), [{ next: 1 }], 'and the connection goes on');
    }
  }
});

t.test('a line that is too long gives one EMSGSIZE, at once, and is skipped to its end', async (t) => {
  const decoder = new FrameDecoder({ maxBytes: 16 });
  t.same(values(decoder.push(Buffer.from('{"a":"0123456789'))), ['EMSGSIZE'], 'before its newline');
  t.same(decoder.push(Buffer.from('still the same line')), []);
  t.same(decoder.end(), 0);
  t.same(values(decoder.push(Buffer.from('{"a":"0123456789"}\n{"b":1}\n'))), ['EMSGSIZE', { b: 1 }]);
  t.match(decoder.push(Buffer.alloc(17, 0x61)), [
    {
      ok: false,
      error: { code: 'EMSGSIZE', layer: 'frame', message: 'frame is longer than 16 bytes with its newline' },
    },
  ]);
});

t.test('bad lines are EINVAL each, and the next line is read', async (t) => {
  const bad = ['', 'x', '[]', '1', '{"a":1', '{"a":1}}', '{"a":1,"a":2}', '\ufeff{}', '{"a":"\\ud800"}'];
  const decoder = new FrameDecoder();
  for (const text of bad) {
    const [fault, next, ...rest] = decoder.push(Buffer.concat([line(text), line('{"ok":1}')]));
    t.match(fault, { ok: false, error: { code: 'EINVAL' }, bytes: Buffer.byteLength(text) + 1 }, text);
    t.match(next, { ok: true, value: { ok: 1 } });
    t.same(rest, []);
  }
  const invalid = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28, 0xff]), line('"}')]);
  t.match(decoder.push(invalid), [{ ok: false, error: { code: 'EINVAL', message: 'not valid UTF-8' } }]);
});

t.test('an unterminated frame at the end is dropped, and told', async (t) => {
  const decoder = new FrameDecoder();
  t.same(decoder.push(Buffer.from('{"a":1}')), []);
  t.equal(decoder.end(), 7);
  t.same(values(decoder.push(line('{"b":2}'))), [{ b: 2 }], 'nothing of it is left');
});

t.test('1 GB without a newline costs constant memory', async (t) => {
  const decoder = new FrameDecoder();
  const chunk = Buffer.alloc(64 * 1024, 0x61);
  let errors = 0;
  const before = process.memoryUsage();
  for (let sent = 0; sent < 1e9; sent += chunk.length) errors += decoder.push(chunk).length;
  const after = process.memoryUsage();
  t.equal(errors, 1);
  t.ok(after.arrayBuffers - before.arrayBuffers < 4 * MAX_FRAME_BYTES, 'buffers');
  t.ok(after.heapUsed - before.heapUsed < 32 * 1024 * 1024, 'heap');
  t.same(values(decoder.push(line('\n{"a":1}'))), [{ a: 1 }]);
});

t.test('a line that trickles in byte by byte costs its length, not a buffer a byte', async (t) => {
  const decoder = new FrameDecoder();
  const before = process.memoryUsage().arrayBuffers;
  const bytes = frameOf(512 * 1024);
  for (const byte of bytes.subarray(0, -1)) decoder.push(Uint8Array.of(byte));
  t.ok(process.memoryUsage().arrayBuffers - before < 16 * MAX_FRAME_BYTES);
  t.equal(decoder.push(Buffer.from('\n'))[0]?.ok, true);
});

t.test('encoding keeps the same limit as decoding', async (t) => {
  const room = MAX_FRAME_BYTES - '{"a":""}\n'.length;
  t.equal(encodeFrame({ a: 'x'.repeat(room) }).length, MAX_FRAME_BYTES);
  t.throws(() => encodeFrame({ a: 'x'.repeat(room + 1) }), {
    code: 'EMSGSIZE',
    message: 'frame of 1048577 bytes is longer than 1048576 bytes with its newline',
  });
  t.throws(() => encodeFrame({ a: 'é' }, { maxBytes: 10 }), { code: 'EMSGSIZE' });
});

t.test('text cannot smuggle a second frame', async (t) => {
  const bytes = encodeFrame({ text: 'a\n{"op":"stop"}\n' });
  t.equal(bytes.indexOf(0x0a), bytes.length - 1);
});

t.test('UTF-8 is checked, overlong forms and surrogates included', async (t) => {
  t.equal(decodeUtf8(Buffer.from('é😀')), 'é😀');
  t.equal(decodeUtf8(Buffer.from('\ufeffa')), '\ufeffa', 'a byte order mark is no blank');
  for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]])
    t.throws(() => decodeUtf8(Uint8Array.from(bytes)), { code: 'EINVAL', message: 'not valid UTF-8' });
});

t.test('property: any objects, encoded and cut anywhere, come back', async (t) => {
  holds(
    t,
    fc.property(
      fc.array(jsonObject, { maxLength: 6 }),
      fc.array(fc.nat(400), { maxLength: 12 }),
      (objects, cuts) => {
        const bytes = Buffer.concat(objects.map((object) => encodeFrame(object)));
        const frames = decodeInPieces(bytes, cuts);
        return JSON.stringify(values(frames)) === JSON.stringify(objects.map(overTheWire));
      },
    ),
  );
});

t.test(
  'property: how random bytes are cut changes nothing, and nothing but a CortexError comes out',
  async (t) => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .array(fc.constantFrom('{', '}', '"a"', ':', '1', '\n', '\n', '\xff'), { maxLength: 80 })
        .map((parts) => Buffer.from(parts.join(''), 'latin1')),
    );
    holds(
      t,
      fc.property(bytes, fc.array(fc.nat(300), { maxLength: 20 }), (input, cuts) => {
        const whole = decodeInPieces(input, []);
        const cut = decodeInPieces(input, cuts);
        return JSON.stringify(values(whole)) === JSON.stringify(values(cut));
      }),
      1000,
    );
  },
);

t.test('property: one line is read or refused', async (t) => {
  holds(
    t,
    fc.property(hostileText, (text) => parsesOrRefuses(() => decodeFrame(Buffer.from(text)))),
  );
});

function decodeInPieces(bytes: Uint8Array, cuts: number[]): DecodedFrame[] {
  const decoder = new FrameDecoder({ maxBytes: 64 * 1024 });
  const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).flatMap((edge, index) => decoder.push(bytes.subarray(edges[index], edge)));
}
