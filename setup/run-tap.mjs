// Bundles the test files below ./test and runs each in its own process, as one TAP stream on standard output
// and in .tap/results.tap. Usage: node run-tap.mjs [--together N] [PART-OF-A-PATH…] runs the matching files only;
// with --together, N files share a process: for tests that are pure, which otherwise mostly wait for node to start.
import { createWriteStream, mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { t } from 'tap';
import { bundleTests } from './bundle-tests.mjs';

const { values, positionals: filters } = parseArgs({
  options: { together: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const files = readdirSync('test', { recursive: true })
  .map((file) => join('test', file))
  .filter(
    (file) => file.endsWith('.test.ts') && (filters.length === 0 || filters.some((f) => file.includes(f))),
  )
  .sort();
if (files.length === 0) t.fail(`no test file matches ${filters.join(' ') || 'test/**/*.test.ts'}`);

mkdirSync('.tap', { recursive: true });
// tap pipes to standard output by itself; a second pipe keeps the same stream for the tally.
t.pipe(process.stdout);
t.pipe(createWriteStream('.tap/results.tap'));
t.on('end', () => {
  if (!t.passing()) process.exitCode = 1;
});
// More than there are processors: tests wait for other processes half of their time.
t.jobs = Number(process.env.TAP_JOBS ?? Math.ceil(availableParallelism() * 1.5));
// One test file's limit in seconds; the file's own process reads it too.
const seconds = process.env.TAP_TIMEOUT ?? '180';
// The limits are the files'; tap's own 30 s for the whole run would end a healthy one.
t.setTimeout(0);
const together = Number(values.together);
// Source maps cost a tenth of a second a file; who runs a few files is looking for a line.
const few = filters.length > 0;
const bundles = await bundleTests(files, { alone: together === 1, sourcemap: few });
const several = fileURLToPath(new URL('several.mjs', import.meta.url));
for (let first = 0; first < files.length; first += together) {
  const group = files.slice(first, first + together);
  t.spawn(
    // tap has every process below the tests measured, through NODE_OPTIONS, and puts that back into each spawn's
    // environment: a test of a program's environment would see it, and all would be slower.
    '/usr/bin/env',
    [
      '-u',
      'NODE_OPTIONS',
      process.execPath,
      ...(few ? ['--enable-source-maps'] : []),
      ...(together > 1 ? [several] : []),
      ...group.map((file) => bundles.get(file)),
    ],
    {
      buffered: true,
      timeout: Number(seconds) * 1000,
      env: { ...process.env, TAP_TIMEOUT: seconds },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
    group.join(' '),
  );
}
