import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, pinnedPnpm } from './checkout.mjs';
import { run } from './command.mjs';
import { linkBins } from './link-bins.mjs';
import { clearStamp, digestOf, stampMatches, writeStamp } from './stamp.mjs';

const quietTools = {
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  CI: '1',
};

/** Installs the locked dependencies with the pinned pnpm, without a global install. Returns what it found. */
export async function installPackages() {
  const digest = digestOf(['pnpm-lock.yaml', 'package.json', 'pnpm-workspace.yaml']);
  if (stampMatches('install', digest) && existsSync(join(checkout, 'node_modules/.modules.yaml')))
    return 'in place';
  clearStamp('install');
  await run('npx', ['-y', pinnedPnpm, 'install', '--frozen-lockfile', '--prefer-offline'], {
    cwd: checkout,
    env: quietTools,
    quiet: true,
    hint: 'check the network and that this checkout is yours to write, then run the same command again',
  });
  writeStamp('install', digest);
}

/** Builds every bin and links them in dist/bin. Returns what it found. */
export async function buildBins() {
  const digest = digestOf([
    'packages',
    'tools',
    'agents',
    'pnpm-lock.yaml',
    'tsup.base.ts',
    'tsconfig.base.json',
    'turbo.json',
  ]);
  if (stampMatches('build', digest) && existsSync(join(checkout, 'dist/bin/ctx'))) return 'in place';
  clearStamp('build');
  await turbo(['run', 'build', '--output-logs=errors-only'], { quiet: true });
  linkBins();
  writeStamp('build', digest);
}

/** Runs the checkout's turbo under the pinned pnpm, which turbo needs to find on its PATH. */
export function turbo(args, options = {}) {
  return run('npx', ['-y', pinnedPnpm, 'exec', 'turbo', ...args], {
    cwd: checkout,
    ...options,
    env: { ...quietTools, ...options.env },
  });
}
