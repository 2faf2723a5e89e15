import fc from 'fast-check';
import t from 'tap';
import type { SessionName } from '../../src/names.ts';
import {
  formatCurrentSession,
  formatSessionList,
  parseCurrentSession,
  parseSessionList,
  withNewest,
} from '../../src/session/index.ts';
import { hostileText, parsesOrRefuses, sessionName } from '../arbitrary.ts';
import { holds } from '../property.ts';

t.test('the list is one name a line, newest first', async (t) => {
  t.same(parseSessionList('b\na\n'), ['b', 'a']);
  t.same(parseSessionList(''), []);
});

t.test('a wrong line is EINVAL with its number', async (t) => {
  const faults: [string, number, RegExp][] = [
    ['a\nb', 2, /no newline/],
    ['a', 1, /no newline/],
    ['a\n\nb\n', 2, /it is empty/],
    ['a\n../x\n', 2, /"\/" is not allowed/],
    ['index\n', 1, /reserved/],
    ['a\nb\na\n', 3, /"a" is listed twice/],
  ];
  for (const [text, line, message] of faults)
    t.throws(() => parseSessionList(text), { code: 'EINVAL', layer: 'session', line, message });
});

t.test('using a session moves it to the front', async (t) => {
  const names = ['a', 'b', 'c'] as SessionName[];
  t.same(withNewest(names, 'c' as SessionName), ['c', 'a', 'b']);
  t.same(withNewest(names, 'd' as SessionName), ['d', 'a', 'b', 'c']);
  t.same(names, ['a', 'b', 'c']);
});

t.test('the current session is one name and a newline', async (t) => {
  t.equal(parseCurrentSession('default\n'), 'default');
  for (const text of ['', 'default', '\n', 'a\nb\n', '../x\n'])
    t.throws(() => parseCurrentSession(text), { code: 'EINVAL', line: 1 });
});

t.test('property: lists and names come back', async (t) => {
  const list = fc.uniqueArray(sessionName, { maxLength: 20 });
  holds(
    t,
    fc.property(list, (names) => parseSessionList(formatSessionList(names)).join() === names.join()),
  );
  holds(
    t,
    fc.property(sessionName, (name) => parseCurrentSession(formatCurrentSession(name)) === name),
  );
  holds(
    t,
    fc.property(hostileText, (text) =>
      [parseSessionList, parseCurrentSession].every((parse) => parsesOrRefuses(() => parse(text))),
    ),
  );
});
