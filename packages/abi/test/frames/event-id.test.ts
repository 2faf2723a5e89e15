import fc from 'fast-check';
import t from 'tap';
import { eventId, parseEventId, seqOf } from '../../src/frames/event-id.ts';
import { hostileText, parsesOrRefuses } from '../arbitrary.ts';
import { holds } from '../property.ts';

t.test('an event id is e and a number from 1', async (t) => {
  t.equal(eventId(17), 'e17');
  t.equal(seqOf('e17'), 17);
  t.equal(parseEventId('e9007199254740991'), 'e9007199254740991');
  for (const text of [
    '',
    'e',
    'e0',
    'e01',
    'e-1',
    'e1.5',
    'E1',
    '1',
    'e1 ',
    'e1\n',
    'e9007199254740992',
    'e99999999999999999',
  ])
    t.throws(
      () => parseEventId(text),
      { code: 'EINVAL', layer: 'session', message: /is not an event id such as "e17"/ },
      text,
    );
});

t.test('property: numbers come back, other text is refused', async (t) => {
  holds(
    t,
    fc.property(fc.integer({ min: 1 }), (seq) => seqOf(eventId(seq)) === seq),
  );
  holds(
    t,
    fc.property(hostileText, (text) => parsesOrRefuses(() => seqOf(text))),
  );
});
