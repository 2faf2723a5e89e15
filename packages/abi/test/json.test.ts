import fc from 'fast-check';
import t from 'tap';
import { canonicalJson, isJsonObject, type JsonValue, parseJson, parseJsonObject } from '../src/json.ts';
import { hostileText, parsesOrRefuses } from './arbitrary.ts';
import { holds } from './property.ts';

const anyJson = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<JsonValue>;

t.test('it reads what JSON.parse reads', async (t) => {
  const texts = [
    '{}',
    '[]',
    ' [ 1 , -0.5e+3 ] ',
    '"\\u00e9\\n\\/\\ud83d\\ude00"',
    'true',
    'null',
    '0',
    '{"a":{"b":[]}}',
  ];
  for (const text of texts) t.same(parseJson(text), JSON.parse(text), text);
});

t.test('faults are told with their place', async (t) => {
  const faults: [string, string][] = [
    ['', 'offset 0: unexpected end, expected a JSON value'],
    ['x', 'offset 0: expected a JSON value'],
    ['{"a":1,}', 'offset 7: expected a key in double quotes'],
    ['{"a" 1}', 'offset 5: expected ":" after the key "a"'],
    ['{"a":1 "b":2}', 'offset 7: expected "," or "}"'],
    ['[1 2]', 'offset 3: expected "," or "]"'],
    ['[1,]', 'offset 3: expected a JSON value'],
    ['"abc', 'offset 0: string without an end'],
    ['"a\nb"', 'offset 2: unescaped control character in a string'],
    ['"\\x"', 'offset 1: invalid escape in a string'],
    ['"\\u12g4"', 'offset 1: invalid escape in a string'],
    ['"\\', 'offset 1: invalid escape in a string'],
    ['01', 'offset 1: unexpected text after the value'],
    ['{} {}', 'offset 3: unexpected text after the value'],
    ['tru', 'offset 0: expected a JSON value'],
    ['NaN', 'offset 0: expected a JSON value'],
    ['\ufeff{}', 'offset 0: expected a JSON value'],
    ['1e999', 'offset 0: number out of range'],
    ['{"k":1,"k":2}', 'offset 7: duplicate key "k"'],
    ['{"k":1,"\\u006b":2}', 'offset 7: duplicate key "k"'],
    ['["\\ud800"]', 'offset 1: lone surrogate in a string'],
    ['{"\\udc00":1}', 'offset 1: lone surrogate in a string'],
    ['["\ud83d"]', 'offset 1: lone surrogate in a string'],
  ];
  for (const [text, message] of faults)
    t.throws(
      () => parseJson(text),
      { code: 'EINVAL', layer: 'format', message: `invalid JSON at ${message}` },
      text,
    );
});

t.test('nesting goes to 64 levels, and a bomb does not hurt the stack', async (t) => {
  t.ok(parseJson('['.repeat(64) + ']'.repeat(64)));
  t.throws(() => parseJson('['.repeat(65) + ']'.repeat(65)), {
    code: 'EINVAL',
    message: /deeper than 64 levels/,
  });
  t.throws(() => parseJson('['.repeat(100_000)), { code: 'EINVAL' });
  t.throws(() => parseJson('{"a":'.repeat(100_000)), { code: 'EINVAL' });
  t.throws(() => parseJson('[[]]', { maxDepth: 1 }), { code: 'EINVAL' });
});

t.test('a __proto__ key is plain data', async (t) => {
  const value = parseJsonObject('{"__proto__":{"admin":true},"constructor":1,"toString":2}');
  t.equal(Object.getPrototypeOf(value), Object.prototype);
  t.same(Object.keys(value), ['__proto__', 'constructor', 'toString']);
  t.equal((value as { admin?: boolean }).admin, undefined);
  t.equal(({} as { admin?: boolean }).admin, undefined);
  t.throws(() => parseJson('{"__proto__":1,"__proto__":2}'), { message: /duplicate key "__proto__"/ });
});

t.test('only an object is an object', async (t) => {
  t.same(parseJsonObject('{"a":1}'), { a: 1 });
  const others = { '[]': 'an array', null: 'null', '1': 'a number', '""': 'a string', true: 'a boolean' };
  for (const [text, kind] of Object.entries(others))
    t.throws(() => parseJsonObject(text), { code: 'EINVAL', message: `expected a JSON object, not ${kind}` });
  t.notOk(isJsonObject(undefined));
});

t.test('canonical JSON does not depend on the spelling', async (t) => {
  t.equal(
    canonicalJson(parseJson('{"b":[1,{"z":1,"y":2}],"a":"\\u0041"}')),
    '{"a":"A","b":[1,{"y":2,"z":1}]}',
  );
  t.equal(canonicalJson(parseJson('{ "a" : 1.0, "b" : 1e1 }')), '{"a":1,"b":10}');
});

t.test('a frame of 1 MiB is read in linear time, whatever fills it', async (t) => {
  const mebibyte = 1024 * 1024;
  const fillings = [
    `["${'a'.repeat(mebibyte)}"]`,
    `["${'\\n'.repeat(mebibyte / 2)}"]`,
    `[${'0,'.repeat(mebibyte / 2)}0]`,
    `{${Array.from({ length: mebibyte / 16 }, (_, i) => `"key${i}":0`).join()}}`,
    `${' '.repeat(mebibyte)}0`,
    '"'.repeat(mebibyte),
  ];
  for (const text of fillings) {
    const start = process.cpuUsage();
    parsesOrRefuses(() => parseJson(text));
    const { user, system } = process.cpuUsage(start);
    t.ok(user + system < 5_000_000, `${text.slice(0, 8)}… took ${(user + system) / 1000} ms`);
  }
});

t.test('property: it reads every JSON text as JSON.parse does', async (t) => {
  holds(
    t,
    fc.property(anyJson, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      return JSON.stringify(parseJson(text)) === JSON.stringify(JSON.parse(text));
    }),
  );
});

t.test('property: what it accepts, JSON.parse accepts with the same value', async (t) => {
  const token = fc.constantFrom(
    ...'{}[]:,"\\ 01-+.eE\ntfnu/'.split(''),
    'true',
    'null',
    '"a"',
    '\\u00',
    '\ud800',
    '\x7f',
  );
  holds(
    t,
    fc.property(
      fc.oneof(
        fc.array(token).map((parts) => parts.join('')),
        hostileText,
      ),
      (text) => {
        let value: JsonValue;
        try {
          value = parseJson(text);
        } catch {
          return parsesOrRefuses(() => parseJson(text));
        }
        return JSON.stringify(value) === JSON.stringify(JSON.parse(text));
      },
    ),
    3000,
  );
});

t.test('property: canonical JSON is JSON of the same value, and equal for equal values', async (t) => {
  holds(
    t,
    fc.property(anyJson, (value) => {
      const text = canonicalJson(value);
      return (
        canonicalJson(parseJson(text)) === text && canonicalJson(parseJson(JSON.stringify(value))) === text
      );
    }),
  );
});
