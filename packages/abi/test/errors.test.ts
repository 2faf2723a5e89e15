import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import {
  CortexError,
  describeError,
  errorJson,
  errorLines,
  fromNodeError,
  withContext,
} from '../src/errors.ts';
import { hostileText } from './arbitrary.ts';
import { holds } from './property.ts';

const refusal = new CortexError('EACCES', 'agent policy has no "allow coder_t tool:fs.write execute"', {
  path: 'tool/fs.write',
  layer: 'agent-policy',
  hint: 'ctx explain coder tool:fs.write execute',
});

t.test('an error reads as program, code, path, reason, and then a hint', async (t) => {
  t.equal(
    errorLines('tsh', refusal),
    'tsh: EACCES: tool/fs.write: agent policy has no "allow coder_t tool:fs.write execute"\n' +
      'hint: ctx explain coder tool:fs.write execute\n',
  );
});

t.test('without path and hint it is one short line', async (t) => {
  t.equal(errorLines('ctx', new CortexError('EINVAL', 'no such command')), 'ctx: EINVAL: no such command\n');
});

t.test('a line number follows the path, or begins the reason where there is no path', async (t) => {
  t.equal(
    describeError(new CortexError('EINVAL', 'unknown class', { path: 'agent/coder.d/policy', line: 3 })),
    'EINVAL: agent/coder.d/policy:3: unknown class',
  );
  t.equal(
    describeError(new CortexError('EINVAL', 'unknown class', { line: 3 })),
    'EINVAL: line 3: unknown class',
  );
});

t.test('JSON carries every field that is there and the exit code', async (t) => {
  t.same(errorJson(refusal), {
    error: {
      code: 'EACCES',
      message: 'agent policy has no "allow coder_t tool:fs.write execute"',
      path: 'tool/fs.write',
      layer: 'agent-policy',
      hint: 'ctx explain coder tool:fs.write execute',
      exit_code: 13,
    },
  });
  t.same(Object.keys(errorJson(new CortexError('EIO', 'x')).error), ['code', 'message', 'exit_code']);
});

t.test('absent fields are absent, not undefined', async (t) => {
  const bare = new CortexError('EIO', 'x');
  for (const key of ['path', 'layer', 'hint', 'line', 'cause']) t.notOk(Object.hasOwn(bare, key), key);
});

t.test('an error of Node keeps its errno name and is told without repeating code and path', async (t) => {
  const thrown = t.throws(() => readFileSync('/nonexistent/file')) as Error;
  const error = fromNodeError(thrown, { path: 'home/7/note', layer: 'store' });
  t.match(error, { code: 'ENOENT', layer: 'store', message: 'no such file or directory' });
  t.equal(error.cause, thrown);
  t.equal(describeError(error), 'ENOENT: home/7/note: no such file or directory');
  t.equal(
    describeError(fromNodeError(thrown)),
    "ENOENT: no such file or directory, open '/nonexistent/file'",
    'without an ABI path the host path stays',
  );
});

t.test('EOPNOTSUPP is told under the name of its twin', async (t) => {
  t.equal(fromNodeError(Object.assign(new Error('x'), { code: 'EOPNOTSUPP' })).code, 'ENOTSUP');
});

t.test('what is no system error is an internal error of the runtime', async (t) => {
  const cases: unknown[] = [
    new TypeError('boom'),
    Object.assign(new Error('boom'), { code: 'ERR_X' }),
    'boom',
  ];
  for (const thrown of cases)
    t.match(fromNodeError(thrown), { code: 'EIO', layer: 'runtime', message: 'internal error: boom' });
  for (const thrown of [undefined, null, 7, {}]) t.equal(fromNodeError(thrown).code, 'EIO');
});

t.test('context fills what an error lacks and never overwrites what it has', async (t) => {
  const error = withContext(new CortexError('EINVAL', 'bad', { line: 2 }), { path: 'a', line: 9, hint: 'h' });
  t.match(error, { code: 'EINVAL', message: 'bad', line: 2, path: 'a', hint: 'h' });
  t.equal(
    withContext(refusal, { path: 'elsewhere', hint: 'other' }),
    refusal,
    'nothing to add: the same error',
  );
  t.equal(fromNodeError(refusal, {}), refusal);
  t.equal(fromNodeError(new CortexError('EIO', 'x'), { path: 'p' }).path, 'p');
});

t.test('an unfinished escape sequence in a path does not swallow the reason', async (t) => {
  const error = new CortexError('ENOENT', 'no such tool', { path: 'tool/x\x1b]0;' });
  t.equal(describeError(error), 'ENOENT: tool/x: no such tool');
});

t.test('hostile names cannot break the line or reach the terminal', async (t) => {
  holds(
    t,
    fc.property(hostileText, hostileText, hostileText, (message, path, hint) => {
      const lines = errorLines('ctx', new CortexError('EINVAL', message, { path, hint }));
      return (
        lines.split('\n').length === 3 &&
        lines.startsWith('ctx: EINVAL: ') &&
        !/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/.test(lines)
      );
    }),
  );
});
