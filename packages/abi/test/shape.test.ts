import fc from 'fast-check';
import t from 'tap';
import { CortexError } from '../src/errors.ts';
import {
  absolutePath,
  base64,
  flag,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  parsed,
  readAs,
  text,
  variant,
} from '../src/shape.ts';
import * as arbitrary from './arbitrary.ts';
import { holds } from './property.ts';

const point = { x: integer(-9, 9), label: optional(text({ maxBytes: 4 })) };
const open = object(point);
const strict = object(point, { strict: true });
const einval = (message: string) => ({ code: 'EINVAL', layer: 'format', message });

t.test('an object keeps its fields and only them', async (t) => {
  t.same(open({ x: 1, label: 'é', other: true }, ''), { x: 1, label: 'é' });
  t.same(Object.keys(open({ x: 1 }, '') as object), ['x'], 'a missing optional field stays missing');
});

t.test('a strict object refuses every other field', async (t) => {
  t.same(strict({ x: 1 }, ''), { x: 1 });
  t.throws(() => strict({ x: 1, y: 2 }, ''), { ...einval('unknown field "y"'), hint: 'fields: x label' });
  t.throws(() => strict(JSON.parse('{"x":1,"__proto__":{}}'), ''), einval('unknown field "__proto__"'));
  t.throws(() => strict({ x: 1, [`${'y'.repeat(100)}`]: 2 }, ''), {
    message: /^unknown field "y{57}\.\.\."$/,
  });
});

t.test('inherited names are no fields', async (t) => {
  const reader = object({ toString: text(), constructor: optional(text()) });
  t.throws(() => reader({}, ''), einval('the field "toString" is missing'));
});

t.test('messages tell place, what was wanted and what came', async (t) => {
  const outer = object({ points: list(open, 2), on: flag, mode: oneOf('a', 'b') });
  const good = { points: [{ x: 1 }], on: true, mode: 'a' };
  t.ok(outer(good, ''));
  const faults: [object, string][] = [
    [{ ...good, points: [{ x: 1 }, {}] }, '"points[1]": the field "x" is missing'],
    [{ ...good, points: [{ x: 1.5 }] }, '"points[0].x": expected an integer from -9 to 9, not 1.5'],
    [{ ...good, points: [{ x: 10 }] }, '"points[0].x": expected an integer from -9 to 9, not 10'],
    [{ ...good, points: [{ x: '1' }] }, '"points[0].x": expected an integer, not a string'],
    [{ ...good, points: [{ x: 1, label: null }] }, '"points[0].label": expected a string, not null'],
    [{ ...good, points: {} }, '"points": expected an array, not an object'],
    [{ ...good, points: [1] }, '"points[0]": expected an object, not a number'],
    [{ ...good, points: [{ x: 1 }, { x: 1 }, { x: 1 }] }, '"points": at most 2 items, not 3'],
    [{ ...good, on: 'yes' }, '"on": expected true or false, not a string'],
    [{ ...good, mode: 'c' }, '"mode": expected "a" or "b", not "c"'],
    [{ ...good, mode: 1 }, '"mode": expected "a" or "b", not a number'],
  ];
  for (const [value, message] of faults) t.throws(() => outer(value as never, ''), einval(message));
});

t.test('a text over its limit is EMSGSIZE, counted in bytes', async (t) => {
  t.equal(text({ maxBytes: 4 })('éé', ''), 'éé');
  t.throws(() => text({ maxBytes: 4 })('ééa', 'label'), {
    code: 'EMSGSIZE',
    message: '"label": 5 bytes are more than the limit of 4',
  });
});

t.test('NUL is refused unless a text may be anything', async (t) => {
  t.throws(() => text()('a\0', ''), einval('a NUL character is not allowed'));
  t.equal(text({ nul: true })('a\0', ''), 'a\0');
});

t.test('nullable reads null, optional does not', async (t) => {
  t.equal(nullable(flag)(null, ''), null);
  t.equal(nullable(flag)(true, ''), true);
  t.throws(() => optional(flag)(null, ''), einval('expected true or false, not null'));
});

t.test('a parser keeps its code and is told with the place', async (t) => {
  const reader = parsed((word) => {
    if (word === 'bug') throw new RangeError('ours');
    if (word.length > 2)
      throw new CortexError('ENAMETOOLONG', 'too long', { layer: 'name', hint: 'shorten it' });
    return word.length;
  });
  t.equal(reader('ab', ''), 2);
  t.throws(() => reader('abc', 'a.b'), {
    code: 'ENAMETOOLONG',
    layer: 'name',
    message: '"a.b": too long',
    hint: 'shorten it',
  });
  t.throws(() => reader(1, ''), einval('expected a string, not a number'));
  t.throws(() => reader('bug', ''), { name: 'RangeError' }, 'a fault of ours is not hidden');
});

t.test('a variant is told apart by its word', async (t) => {
  const reader = variant<object>('op', { a: object({ op: oneOf('a') }), b: object({ op: oneOf('b') }) });
  t.same(reader({ op: 'a', x: 1 }, ''), { op: 'a' });
  t.throws(() => reader({ op: 'c' }, ''), { ...einval('unknown op "c"'), hint: 'known: a b' });
  t.throws(() => reader({}, ''), einval('the field "op" is missing'));
  t.throws(() => reader({ op: 1 }, ''), einval('"op": expected a string, not a number'));
  t.throws(() => reader({ op: 'toString' }, ''), einval('unknown op "toString"'));
  t.throws(() => reader([], ''), einval('expected an object, not an array'));
});

t.test('paths are absolute and fit on a line', async (t) => {
  t.equal(absolutePath('/a b/ü', ''), '/a b/ü');
  t.throws(() => absolutePath('a', 'cwd'), einval('"cwd": expected an absolute path, not "a"'));
  for (const path of ['/a\n', '/a\t', '/a\r', '/a\0', ''])
    t.throws(() => absolutePath(path, ''), { code: 'EINVAL' });
  t.throws(() => absolutePath(`/${'a'.repeat(4096)}`, ''), { code: 'EMSGSIZE' });
});

t.test('base64 is canonical', async (t) => {
  for (const good of ['', 'YQ==', 'YWI=', 'YWJj', '+/==']) t.equal(base64(good, ''), good);
  for (const bad of ['Y', 'YQ', 'YQ=', 'Y===', 'YW-_', 'YQ==\n', '=YQ=', ' YQ=='])
    t.throws(() => base64(bad, ''), { code: 'EINVAL' }, bad);
  t.throws(() => base64(1, 'data_b64'), einval('"data_b64": expected base64 text, not a number'));
});

t.test('a document is named in its faults', async (t) => {
  t.same(readAs('point', open, { x: 1 }), { x: 1 });
  t.throws(() => readAs('point', strict, { x: 1, y: 1 }), {
    code: 'EINVAL',
    message: 'invalid point: unknown field "y"',
    hint: 'fields: x label',
  });
  const broken = () => {
    throw new RangeError('ours');
  };
  t.throws(() => readAs('point', broken, {}), { name: 'RangeError' });
});

t.test('property: base64 of any bytes is read', async (t) => {
  holds(
    t,
    fc.property(arbitrary.base64, (encoded) => base64(encoded, '') === encoded),
  );
});

t.test('property: any value is read or refused', async (t) => {
  holds(
    t,
    fc.property(arbitrary.nearFrame(['x', 'label', 'op']), (value) =>
      [open, strict].every((reader) => arbitrary.parsesOrRefuses(() => reader(value, ''))),
    ),
  );
});
