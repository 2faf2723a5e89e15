import fc from 'fast-check';
import t from 'tap';
import { parseRunId } from '../src/names.ts';
import { newRunId } from '../src/run-id.ts';
import { holds } from './property.ts';

t.test('a run id is a ULID', async (t) => {
  t.equal(newRunId(1469918176385, new Uint8Array(16)), '01ARYZ6S410000000000000000');
  t.match(newRunId(), /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});

t.test('run ids do not repeat', async (t) => {
  const now = Date.now();
  t.equal(new Set(Array.from({ length: 10_000 }, () => newRunId(now))).size, 10_000);
});

t.test('property: they are valid run names and sort by time', async (t) => {
  const time = fc.integer({ min: 0, max: 2 ** 47 });
  holds(
    t,
    fc.property(time, time, (a, b) => {
      const [first, second] = [newRunId(Math.min(a, b)), newRunId(Math.max(a, b) + 1)];
      return parseRunId(first) === first && first < second;
    }),
  );
});
