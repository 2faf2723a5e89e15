import fc from 'fast-check';
import t from 'tap';
import { env, environmentVariables, stepTimeoutSeconds } from '../../src/controls/env.ts';
import { canonical, refused } from './expectations.ts';

t.test('KEY=VALUE lines in order', async (t) => {
  canonical(t, env, [
    ['', new Map()],
    ['A=1\n', new Map([['A', '1']])],
    [
      'B=\n_x9= a=b "c" \n',
      new Map([
        ['B', ''],
        ['_x9', ' a=b "c" '],
      ]),
    ],
    [
      '__proto__=x\nconstructor=y\n',
      new Map([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    ],
  ]);
});

t.test('bad keys, repeated keys and lines without "=" are refused', async (t) => {
  refused(t, env, [
    ['A=1\nA=2\n', 'repeats the key "A"', 2],
    ['A=1\nB\n', 'must be KEY=VALUE, got "B"', 2],
    ['A=1\n\n', 'must be KEY=VALUE', 2],
    ['# x\n', 'must be KEY=VALUE', 1],
    ['=1\n', 'bad key ""', 1],
    ['1A=1\n', 'bad key "1A"', 1],
    ['export A=1\n', 'bad key', 1],
    ['A-B=1\n', 'bad key', 1],
    ['A=\x1b[0m\n', 'control character', 1],
    ['A=1\r\n', 'control character', 1],
  ]);
});

t.test("the host's own variables cannot be set", async (t) => {
  refused(t, env, [
    ['A=1\nCTX_ROOT=/evil\n', 'may not set "CTX_ROOT"', 2],
    ['CTX_PATH=/x\n', "that begin with CTX_ are the host's", 1],
  ]);
  t.same(env.parse('CTXROOT=1\n'), new Map([['CTXROOT', '1']]));
});

t.test('step_timeout_s sets the step time-out and is no variable', async (t) => {
  const pairs = env.parse('A=1\nstep_timeout_s=20\n');
  t.equal(stepTimeoutSeconds(pairs), 20);
  t.same(environmentVariables(pairs), new Map([['A', '1']]));
  t.equal(pairs.size, 2, 'the parsed control is left alone');
  t.equal(stepTimeoutSeconds(env.parse('')), 300);
  const why = 'step_timeout_s must be a decimal number from 1 to 86400';
  refused(t, env, [
    ['step_timeout_s=0\n', why, 1],
    ['A=1\nstep_timeout_s=86401\n', why, 2],
    ['step_timeout_s=1.5\n', why, 1],
    ['step_timeout_s=\n', why, 1],
  ]);
});

t.test('every set of pairs survives', async (t) => {
  const key = fc
    .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,10}$/)
    .filter((k) => !k.startsWith('CTX_') && k !== 'step_timeout_s');
  const value = fc.string().filter((v) => !/[\x00-\x08\x0a-\x1f\x7f-\x9f]/.test(v));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(key, value), { selector: ([k]) => k }), (pairs) => {
      t.same([...env.parse(env.format(new Map(pairs)))], pairs);
    }),
    { numRuns: 50 },
  );
});
