import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { resolveDeployment } from '@cortexfs/abi/deployment';
import { CortexError } from '@cortexfs/abi/errors';
import { STATUS } from '@cortexfs/abi/paths';

/** The CortexFS root: `--root`, CTX_ROOT, /ctx when it is one, else the user's own mount. ENOTCONN when it does not answer. */
export function findRoot(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const root = chosenRoot(option, env);
  if (isRoot(root)) return root;
  throw new CortexError('ENOTCONN', `${root}: CortexFS is not mounted here`, {
    layer: 'mount',
    hint: 'ctx mount',
  });
}

function chosenRoot(option: string | undefined, env: NodeJS.ProcessEnv): string {
  if (option !== undefined) return resolve(option);
  if (!env['CTX_ROOT'] && isRoot('/ctx')) return '/ctx';
  const place = resolveDeployment({ uid: process.geteuid!(), home: homedir(), env });
  return env['CTX_ROOT'] ? place.defaultMount : (mountedRoot(place.runtime) ?? place.defaultMount);
}

function isRoot(directory: string): boolean {
  try {
    return readFileSync(join(directory, STATUS), 'utf8') === 'ready\n';
  } catch {
    return false;
  }
}

/** What the receipt of the user's mount says; whether it answers is seen afterwards. */
function mountedRoot(runtime: string): string | undefined {
  try {
    const { root } = JSON.parse(readFileSync(join(runtime, 'mount.json'), 'utf8')) as { root?: unknown };
    return typeof root === 'string' && root.startsWith('/') ? root : undefined;
  } catch {
    return undefined;
  }
}
