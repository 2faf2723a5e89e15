import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { STATUS } from '@cortexfs/abi/paths';
import { cortexMountAt } from '@cortexfs/linux/mount-table';
import { deployment } from './deployment.ts';
import { mountReceipt } from './receipt.ts';

/**
 * The root to work on: `--root`, CTX_ROOT, /ctx when it is a CortexFS mount, the root of the user's mount receipt,
 * else where the user mount would be. Whether it is alive is for {@link liveRoot}.
 */
export function chosenRoot(option: string | undefined): string {
  if (option !== undefined) return resolve(option);
  const place = deployment();
  if (process.env['CTX_ROOT']) return place.defaultMount;
  if (cortexMountAt('/ctx')) return '/ctx';
  return mountReceipt(place.runtime)?.root ?? place.defaultMount;
}

/**
 * The chosen root, when it answers.
 * @throws CortexError ENOTCONN when nothing is mounted there or its daemon is gone.
 */
export function liveRoot(option: string | undefined): string {
  const root = chosenRoot(option);
  const fault = faultOf(root);
  if (fault) throw new CortexError('ENOTCONN', `${root}: ${fault}`, { layer: 'mount', hint: 'ctx mount' });
  return root;
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
