// npm run undo: takes back what npm start did, except the checkout and system packages. See docs/first-run.md.

import { spawnSync } from 'node:child_process';
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { bin } from './checkout.mjs';
import { endWith, SetupFailure } from './failure.mjs';
import { say, step } from './progress.mjs';

try {
  await undo();
} catch (error) {
  endWith('npm run undo', error);
}

async function undo() {
  if (!existsSync(bin('ctx')))
    throw new SetupFailure(
      'undo',
      'nothing is built here',
      'run npm start once, or remove the store by hand',
    );
  // Never the machine's, wherever /ctx leads.
  const { root, store, runtime } = JSON.parse(ctx(['env', '--own', '--json']));
  process.env.CTX_ROOT = root;
  await step('agents', () => void ctx(['agent', 'stop', '--all']));
  await step('mount', () => void ctx(['umount', '--quiet']));
  await step(`store ${store}`, () => {
    rmSync(store, { recursive: true, force: true });
    removeIfEmpty(dirname(store));
  });
  await step(`runtime files ${runtime}`, () => rmSync(runtime, { recursive: true, force: true }));
  say('undone. Packages that apt brought (bubblewrap, fuse3) and this checkout stay.');
}

/** What ctx says. Its complaint goes to standard error as it is. */
function ctx(args) {
  const { status, signal, stdout } = spawnSync(process.execPath, [bin('ctx'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout;
  const why = signal ? `ended by ${signal}` : `exit ${status}`;
  throw new SetupFailure(
    `ctx ${args.join(' ')}`,
    why,
    'nothing was removed yet; ctx doctor tells more',
    status ?? 1,
  );
}

function removeIfEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch {
    // Something else lives there, or it was never made.
  }
}
