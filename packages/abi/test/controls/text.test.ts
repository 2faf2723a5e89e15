import fc from 'fast-check';
import t from 'tap';
import { jsonObject } from '../../src/controls/json.ts';
import { meta } from '../../src/controls/meta.ts';
import { promptTemplate, system } from '../../src/controls/prompt.ts';
import { text } from '../../src/controls/text.ts';
import { canonical, refused } from './expectations.ts';

t.test('free text is kept byte for byte', async (t) => {
  for (const codec of [text, system, promptTemplate]) {
    canonical(t, codec, [
      ['', ''],
      ['no final newline', 'no final newline'],
      ['You are {{agent}}.\n\n\t- 日本語 🙂\n', 'You are {{agent}}.\n\n\t- 日本語 🙂\n'],
    ]);
  }
});

t.test('control characters are refused on their line', async (t) => {
  refused(t, text, [
    ['a\r\n', 'control character', 1],
    ['a\nb\x1b]0;x\x07', 'control character', 2],
    ['a\n\n\x9b2J', 'control character', 3],
    ['\x7f', 'control character', 1],
    ['\x0b', 'control character', 1],
  ]);
});

t.test('JSON objects only, strictly', async (t) => {
  canonical(t, jsonObject, [
    ['{}\n', {}],
    ['{\n  "purpose": "x"\n}\n', { purpose: 'x' }],
  ]);
  t.same(meta.parse('{"a":[1,{"b":null}]}'), { a: [1, { b: null }] });
  refused(t, meta, [
    ['', 'expected a JSON value'],
    ['[]', 'expected a JSON object, not an array'],
    ['"x"', 'not a string'],
    ['{"a":1,"a":2}', 'duplicate key'],
    ['{"a":1}{"b":2}', 'unexpected text'],
    ['{"a":"\\ud800"}', 'lone surrogate'],
    [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'nested deeper'],
  ]);
});

t.test('every JSON object survives', async (t) => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true });
  fc.assert(
    fc.property(object, (value) => {
      const once = jsonObject.parse(jsonObject.format(JSON.parse(JSON.stringify(value))));
      t.equal(JSON.stringify(once), JSON.stringify(value));
    }),
    { numRuns: 50 },
  );
});
