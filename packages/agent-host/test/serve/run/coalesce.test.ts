import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import {
  DELTA_PAUSE_MS,
  DeltaCoalescer,
  type DeltaType,
  MAX_DELTA_UNITS,
} from '../../../src/serve/run/coalesce.ts';
import { cutUtf8 } from '../../../src/serve/run/observation.ts';
import { fitAnswer } from '../../../src/serve/run/recorder.ts';

function recording() {
  const written: [DeltaType, string][] = [];
  return { written, deltas: new DeltaCoalescer((type, text) => written.push([type, text])) };
}

t.test('the first piece goes out at once, the next together after the pause', async (t) => {
  const { written, deltas } = recording();
  for (const text of ['a', 'b', 'c']) deltas.push('delta', text);
  t.strictSame(written, [['delta', 'a']]);
  await delay(DELTA_PAUSE_MS * 2);
  t.strictSame(written, [
    ['delta', 'a'],
    ['delta', 'bc'],
  ]);
  deltas.push('delta', 'd');
  deltas.flush();
  t.equal(written.map(([, text]) => text).join(''), 'abcd');
});

t.test('another kind, a flush and a discard keep the order', (t) => {
  const { written, deltas } = recording();
  deltas.push('delta', 'a');
  deltas.push('delta', 'b');
  deltas.push('reasoning_delta', 'c');
  t.strictSame(written, [
    ['delta', 'a'],
    ['delta', 'b'],
    ['reasoning_delta', 'c'],
  ]);
  deltas.push('reasoning_delta', 'lost');
  deltas.discard();
  deltas.flush();
  t.equal(written.length, 3);
  t.end();
});

t.test('long text is cut into frames, and no character in two', (t) => {
  fc.assert(
    fc.property(fc.nat(3), fc.nat(1), (parts, shift) => {
      const { written, deltas } = recording();
      const text = `${'x'.repeat(shift)}${'😀'.repeat((MAX_DELTA_UNITS / 2) * parts)}`;
      deltas.push('delta', text);
      deltas.flush();
      t.equal(written.map(([, piece]) => piece).join(''), text);
      for (const [, piece] of written) {
        t.ok(piece.length <= MAX_DELTA_UNITS);
        t.equal(Buffer.from(piece).toString(), piece);
      }
    }),
    { numRuns: 10 },
  );
  t.end();
});

t.test('observations are cut to bytes between characters', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(80), (text, bytes) => {
      const cut = cutUtf8(text, bytes);
      t.ok(Buffer.byteLength(cut) <= bytes);
      t.ok(text.startsWith(cut));
      if (Buffer.byteLength(text) <= bytes) t.equal(cut, text);
    }),
  );
  t.end();
});

t.test('an answer is cut to what a frame holds', (t) => {
  t.equal(fitAnswer('short'), 'short');
  for (const unit of ['x', '\u0001', '😀', '"']) {
    const fitted = fitAnswer(unit.repeat(1_200_000));
    const bytes = Buffer.byteLength(JSON.stringify(fitted));
    t.ok(bytes <= 1024 * 1024 - 1024 && bytes > 1_000_000, `${JSON.stringify(unit)}: ${bytes}`);
  }
  t.end();
});
