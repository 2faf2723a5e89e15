import { CortexError } from '@cortexfs/abi/errors';
import { mountsAt } from '@cortexfs/linux/mount-table';
import { runProgram } from './program.ts';

export interface UnmountOptions {
  /** Takes the mount out of the tree at once, although files in it may still be open. */
  readonly lazy?: boolean;
}

/**
 * Unmounts what is mounted at this canonical path: as root by umount, else by fusermount3. EBUSY while it is in use
 * (unless lazy); a path where nothing is mounted is left as it is.
 */
export async function unmount(path: string, { lazy = false }: UnmountOptions = {}): Promise<void> {
  if (mountsAt(path).length === 0) return;
  const { status, stderr } = await detach(path, lazy);
  if (status === 0) return;
  if (/busy/i.test(stderr)) {
    throw new CortexError('EBUSY', 'the mount is in use', {
      path,
      layer: 'mount',
      hint: 'close the programs whose directory or files are in it',
    });
  }
  // Somebody else was faster.
  if (mountsAt(path).length === 0) return;
  throw new CortexError('EIO', `could not be unmounted: ${stderr || `exit status ${status}`}`, {
    path,
    layer: 'mount',
  });
}

function detach(path: string, lazy: boolean) {
  return process.geteuid!() === 0
    ? runProgram('umount', ['-i', ...(lazy ? ['-l'] : []), '--', path])
    : runProgram('fusermount3', ['-u', ...(lazy ? ['-z'] : []), '--', path]);
}
