import fc from 'fast-check';
import t from 'tap';
import { formatTimestamp, parseTimestamp } from '../src/timestamp.ts';
import { hostileText, parsesOrRefuses, timestamp } from './arbitrary.ts';
import { holds } from './property.ts';

t.test('a time is UTC with milliseconds', async (t) => {
  t.equal(formatTimestamp(0), '1970-01-01T00:00:00.000Z');
  t.equal(parseTimestamp('2026-03-01T12:00:00.000Z'), '2026-03-01T12:00:00.000Z');
});

t.test('another spelling or a day that does not exist is EINVAL', async (t) => {
  const bad = [
    '',
    '2026-03-01',
    '2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00.000',
    '2026-03-01T12:00:00.000+00:00',
    '2026-03-01t12:00:00.000z',
    '2026-02-30T12:00:00.000Z',
    '2026-13-01T12:00:00.000Z',
    '2026-03-01T24:00:00.000Z',
    '2026-03-01T12:00:00.000Z\n',
  ];
  for (const text of bad)
    t.throws(
      () => parseTimestamp(text),
      { code: 'EINVAL', message: /is not a time such as 2026/ },
      JSON.stringify(text),
    );
});

t.test('property: times come back, other text is refused', async (t) => {
  holds(
    t,
    fc.property(
      timestamp,
      (time) => parseTimestamp(time) === time && formatTimestamp(Date.parse(time)) === time,
    ),
  );
  holds(
    t,
    fc.property(hostileText, (text) => parsesOrRefuses(() => parseTimestamp(text))),
  );
});
