import { CortexError } from '@cortexfs/abi/errors';
import t from 'tap';
import type { CommandSpec } from '../../src/command/command.ts';
import { parseCommandLine } from '../../src/command/parse.ts';

const spec: CommandSpec = {
  words: 'thing do',
  usage: '[--fast] [--name N] A [B]',
  summary: 'does a thing',
  options: { fast: { type: 'boolean' }, name: { type: 'string' } },
  operands: [1, 2],
  load: () => Promise.reject(new Error('not loaded by parsing')),
};

t.test('options, operands and the common options are told apart', async (t) => {
  const { values, operands, json, root } = parseCommandLine(spec, [
    '--fast',
    '--json',
    'a',
    '--root',
    '/x',
    '--name=n',
    'b',
  ]);
  t.same(
    { fast: values['fast'], name: values['name'], operands, json, root },
    { fast: true, name: 'n', operands: ['a', 'b'], json: true, root: '/x' },
  );
});

t.test('after -- everything is an operand', async (t) => {
  t.same(parseCommandLine(spec, ['--', '--fast']).operands, ['--fast']);
});

t.test('misuse is EINVAL and shows the usage', async (t) => {
  for (const args of [[], ['a', 'b', 'c'], ['--unknown', 'a'], ['a', '--name'], ['a', '--fast=yes']]) {
    t.throws(
      () => parseCommandLine(spec, args),
      { code: 'EINVAL', hint: 'usage: ctx thing do [--fast] [--name N] A [B]' },
      args.join(' '),
    );
  }
});

t.test('a raw command gets its arguments unread', async (t) => {
  const raw = { ...spec, raw: true };
  t.same(parseCommandLine(raw, ['--unknown', 'x', '--', 'y']).operands, ['--unknown', 'x', '--', 'y']);
});

t.test('misuse is a CortexError, so that it ends with exit 2', async (t) => {
  try {
    parseCommandLine(spec, []);
    t.fail('accepted a missing operand');
  } catch (error) {
    t.type(error, CortexError);
    t.equal((error as CortexError).exitCode, 2);
  }
});
