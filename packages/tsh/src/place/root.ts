import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { STATUS } from '@cortexfs/abi/paths';
import { findPlace } from '@cortexfs/linux/place';

/** The CortexFS root (docs/paths.md says which). ENOTCONN when it does not answer. */
export function findRoot(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const { root, kind } = findPlace(option, env);
  if (isRoot(root)) return root;
  throw new CortexError('ENOTCONN', `${root}: CortexFS is not mounted here`, {
    layer: 'mount',
    hint: kind === 'system' ? 'as root: ctx mount --system' : 'ctx mount',
  });
}

function isRoot(directory: string): boolean {
  try {
    return readFileSync(join(directory, STATUS), 'utf8') === 'ready\n';
  } catch {
    return false;
  }
}
