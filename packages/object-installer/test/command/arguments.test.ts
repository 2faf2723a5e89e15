import t from 'tap';
import { type Grammar, parseArguments } from '../../src/command/arguments.ts';

const grammar: Grammar = {
  usage: 'do [--source STORE] A B [--yes]',
  operands: ['A', 'B'],
  values: ['--source', '--tier'],
  flags: ['--yes'],
};

t.test('options and operands in any order', async (t) => {
  const lines = [
    ['a', 'b', '--source', 's', '--yes'],
    ['--yes', 'a', '--source=s', 'b'],
    ['--source', 's', '--yes', '--', 'a', 'b'],
  ];
  for (const line of lines) {
    const { operands, value, has } = parseArguments(line, grammar);
    t.same(operands, ['a', 'b']);
    t.same([value('--source'), value('--tier'), has('--yes'), has('--json')], ['s', undefined, true, false]);
  }
  t.same(parseArguments(['--', '--yes', '-'], grammar).operands, ['--yes', '-']);
  t.equal(parseArguments(['a', 'b', '--source', '--yes'], grammar).value('--source'), '--yes');
});

t.test('misuse names itself and the usage', async (t) => {
  const cases: [string[], RegExp][] = [
    [[], /A is missing/],
    [['a'], /B is missing/],
    [['', 'b'], /A is missing/],
    [['a', 'b', 'c'], /unexpected argument "c"/],
    [['a', 'b', '--no'], /unknown option "--no"/],
    [['a', 'b', '--yes=1'], /unknown option "--yes=1"/],
    [['a', 'b', '-y'], /unknown option "-y"/],
    [['a', 'b', '--source'], /--source needs a value/],
    [['a', 'b', '--source='], /--source needs a value/],
    [['a', 'b', '--source', 'x', '--source', 'y'], /--source is given twice/],
    [['a', 'b\0'], /NUL/],
    [['a', 'b', '--source', '\0'], /NUL/],
  ];
  for (const [line, message] of cases) {
    t.throws(
      () => parseArguments(line, grammar),
      { code: 'EINVAL', message, hint: `object-installer ${grammar.usage}` },
      JSON.stringify(line),
    );
  }
});
