import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import t from 'tap';
import { CortexError } from '../src/errors.ts';
import { formatLauncher, parseLauncher } from '../src/launcher.ts';

const path = fc
  .string({ unit: fc.constantFrom('a', '/', "'", ' ', '$', '"', '\\', 'ü', '.') })
  .map((text) => `/${text}`);

t.test('what is formatted is parsed', async () => {
  fc.assert(
    fc.property(path, path, (node, script) => {
      const launcher = { node, script };
      const read = parseLauncher(formatLauncher(launcher));
      return read.node === node && read.script === script;
    }),
  );
});

t.test('any other text is EINVAL and nothing else', async () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseLauncher(`#!/bin/sh\nunset PWD\nexec ${text} "$@"\n`);
        return /^'\//.test(text);
      } catch (error) {
        return error instanceof CortexError && error.code === 'EINVAL';
      }
    }),
  );
});

t.test('the shell runs what the launcher names, quotes and dollars included', async (t) => {
  const text = formatLauncher({ node: '/bin/echo', script: `/it's $HOME "x"` });
  const output = execFileSync('/bin/sh', ['-c', text, 'launcher', 'one', 'two three'], { encoding: 'utf8' });
  t.equal(output, `/it's $HOME "x" one two three\n`);
});
