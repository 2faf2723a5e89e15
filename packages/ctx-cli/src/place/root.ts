import { readFileSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { STATUS } from '@cortexfs/abi/paths';
import { findPlace } from '@cortexfs/linux/place';

/**
 * The root to work on, when it answers (docs/paths.md).
 * @throws CortexError ENOTCONN when nothing is mounted there or its daemon is gone.
 */
export function liveRoot(option: string | undefined): string {
  const { root, kind } = findPlace(option);
  const fault = faultOf(root);
  if (fault)
    throw new CortexError('ENOTCONN', `${root}: ${fault}`, { layer: 'mount', hint: mountHint(kind) });
  return root;
}

/** What brings a root back. */
export function mountHint(kind: 'user' | 'system'): string {
  return kind === 'system' ? 'as root: ctx mount --system' : 'ctx mount';
}

/** Why a root does not answer, or undefined when it does. */
export function faultOf(root: string): string | undefined {
  try {
    const status = readFileSync(`${root}/${STATUS}`, 'utf8');
    return status === 'ready\n' ? undefined : 'this is not a CortexFS root';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'CortexFS is not mounted here';
    if (code === 'ENOTCONN') return 'the mount is dead: its daemon ended without unmounting';
    return `the root does not answer (${code})`;
  }
}
