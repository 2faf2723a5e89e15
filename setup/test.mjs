// npm test: the same set-up as npm start, then every check and every test; ends with "N passed, N failed".
import { chmodSync, existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkout } from './checkout.mjs';
import { run } from './command.mjs';
import { endWith } from './failure.mjs';
import { checkNode } from './machine.mjs';
import { buildBins, installPackages, turbo } from './packages.mjs';
import { preparePrograms } from './programs.mjs';
import { step } from './progress.mjs';
import { clearResults, readTally } from './tally.mjs';

const testPrograms = [
  { program: 'tmux', debianPackage: 'tmux' },
  { program: 'getfattr', debianPackage: 'attr' },
  { program: 'rg', debianPackage: 'ripgrep' },
  { program: 'systemctl', debianPackage: 'systemd' },
  { file: '/usr/lib/systemd/user/dbus.socket', debianPackage: 'dbus-user-session' },
];

try {
  process.exitCode = await test();
} catch (error) {
  endWith('npm test', error);
}

async function test() {
  checkNode();
  await step('packages', installPackages);
  await step('build', buildBins);
  await step('programs', () => preparePrograms(testPrograms));
  openFuse();
  clearResults();
  const checks = {
    lint: await passes(() =>
      run(join(checkout, 'node_modules/.bin/biome'), ['check', '.'], { cwd: checkout }),
    ),
  };
  // All packages at once, for they share most of what has to be read; beside the tests, which leave a processor idle at times.
  const typecheck = passes(() =>
    run(join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: checkout }),
  );
  // Both suites wait for other processes much of their time, so they run side by side.
  const processors = availableParallelism();
  await Promise.all([
    passes(() => testOf('@cortexfs/e2e', processors)),
    passes(() => testOf('!@cortexfs/e2e', Math.ceil(processors * 1.5))),
  ]);

  checks.typecheck = await typecheck;
  const { passed, failed, skipped, failures } = readTally(checks);
  for (const name of failures) console.log(`not ok: ${name}`);
  console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  return failed > 0 || passed === 0 || (skipped > 0 && process.env.CI) ? 1 : 0;
}

/** The tests of the packages that a turbo filter selects, so many files at a time. All is built already. */
function testOf(packages, files) {
  const jobs = process.env.TAP_JOBS ?? `${files}`;
  const turns = ['--only', '--continue', '--concurrency=1', '--output-logs=errors-only'];
  return turbo(['run', 'test', `--filter=${packages}`, ...turns], { env: { TAP_JOBS: jobs } });
}

/** Normal machines let everybody open /dev/fuse; where root alone may, tests with other users could not mount. */
function openFuse() {
  if (process.getuid() === 0 && existsSync('/dev/fuse')) chmodSync('/dev/fuse', 0o666);
}

async function passes(work) {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
