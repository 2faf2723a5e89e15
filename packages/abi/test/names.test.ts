import fc from 'fast-check';
import t from 'tap';
import {
  formatModelName,
  isObjectName,
  parseCallId,
  parseModelName,
  parseModelReference,
  parseObjectName,
  parseProviderName,
  parseRequestId,
  parseRunId,
  parseSessionName,
  parseSpaceName,
  parseUid,
} from '../src/names.ts';
import { hostileText, objectName, parsesOrRefuses } from './arbitrary.ts';
import { holds } from './property.ts';

const good = [
  'a',
  '7',
  'fs.read',
  'gpt-5.6',
  'c++',
  'a_b',
  'x.sock.y',
  'A',
  'sock',
  'd',
  'x.D',
  '9..9',
  'a'.repeat(64),
];

const bad: [string, RegExp][] = [
  ['', /empty/],
  ['.', /must begin with a letter or digit/],
  ['..', /must begin with/],
  ['-x', /must begin with/],
  ['.hidden', /must begin with/],
  ['_x', /must begin with/],
  ['a/b', /"\/" is not allowed/],
  ['a\0', /"\\u0000" is not allowed/],
  ['a\n', /"\\n" is not allowed/],
  ['\na', /is not allowed/],
  ['a b', /" " is not allowed/],
  ['ä', /"ä" is not allowed/],
  ['a\u202e', /is not allowed/],
  ['😀', /"😀" is not allowed/],
  ['a.sock', /".sock" and ".d" are reserved/],
  ['a.d', /reserved/],
  ['a.sock.d', /reserved/],
];

const parsers = { parseObjectName, parseProviderName, parseSessionName, parseSpaceName, parseRunId };

for (const [title, parse] of Object.entries(parsers)) {
  t.test(`${title} takes the grammar and nothing else`, async (t) => {
    for (const name of good) t.equal(parse(name), name);
    for (const [name, message] of bad)
      t.throws(() => parse(name), { code: 'EINVAL', layer: 'name', message });
    t.throws(() => parse('a'.repeat(65)), { code: 'ENAMETOOLONG', message: /longer than 64 characters/ });
  });
}

t.test('isObjectName agrees with the parser', async (t) => {
  for (const name of good) t.ok(isObjectName(name));
  for (const [name] of bad) t.notOk(isObjectName(name), JSON.stringify(name));
});

t.test('a session cannot take the name of the index beside it', async (t) => {
  t.throws(() => parseSessionName('index'), { code: 'EINVAL', message: /reserved for the list of sessions/ });
  t.equal(parseObjectName('index'), 'index');
});

t.test('a model is exactly provider/model', async (t) => {
  t.same(parseModelName('openai/gpt-5.6'), { provider: 'openai', model: 'gpt-5.6' });
  t.throws(() => parseModelName('main'), { code: 'EINVAL', message: /expected provider\/model/ });
  t.throws(() => parseModelName('a/b/c'), { code: 'EINVAL', message: /expected provider\/model/ });
  t.throws(() => parseModelName('/b'), { code: 'EINVAL', message: /provider name: it is empty/ });
  t.throws(() => parseModelName('a/'), { code: 'EINVAL', message: /it is empty/ });
  t.throws(() => parseModelName('a/../b'), { code: 'EINVAL' });
});

t.test('a model may be named by its alias', async (t) => {
  t.equal(parseModelReference('main'), 'main');
  t.equal(parseModelReference('debug/script'), 'debug/script');
  t.throws(() => parseModelReference('debug/'), { code: 'EINVAL' });
});

t.test('ids of requests and calls are visible ASCII to 128 characters', async (t) => {
  for (const parse of [parseRequestId, parseCallId]) {
    for (const id of ['msg-1', 'toolu_01', '{"x"}', '!', 'a'.repeat(128)]) t.equal(parse(id), id);
    for (const id of ['', 'a b', 'a\n', 'ä', 'a'.repeat(129)]) t.throws(() => parse(id), { code: 'EINVAL' });
  }
  t.throws(() => parseCallId(''), { message: /"" is not a valid tool call id: expected 1 to 128 visible/ });
});

t.test('a uid is a plain decimal number that can belong to somebody', async (t) => {
  t.equal(parseUid('0'), 0);
  t.equal(parseUid('4294967294'), 4294967294);
  for (const text of ['', '-1', '+1', '01', '1 ', '1\n', '0x1', '1e3', '4294967295', '99999999999'])
    t.throws(() => parseUid(text), { code: 'EINVAL', message: /user id/ }, JSON.stringify(text));
});

t.test('a long bad name is shortened in the message', async (t) => {
  const error = t.throws(() => parseObjectName('/'.repeat(5000))) as Error;
  t.ok(error.message.length < 200);
});

t.test('property: every name of the grammar parses to itself', async (t) => {
  holds(
    t,
    fc.property(objectName, (name) => parseObjectName(name) === name),
  );
  holds(
    t,
    fc.property(objectName, objectName, (provider, model) => {
      const id = `${provider}/${model}`;
      return formatModelName(parseModelName(id)) === id;
    }),
  );
});

t.test('property: hostile text is refused with a typed error or is a safe path component', async (t) => {
  holds(
    t,
    fc.property(hostileText, (text) => {
      if (isObjectName(text) && !/^[\w+-][\w.+-]*$/.test(text))
        throw new Error(`unsafe: ${JSON.stringify(text)}`);
      return Object.values({ ...parsers, parseModelName, parseRequestId, parseUid }).every((parse) =>
        parsesOrRefuses(() => parse(text)),
      );
    }),
  );
});
