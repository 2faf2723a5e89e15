import type { CortexError } from '@cortexfs/abi/errors';

/**
 * A mount that this process serves, whatever carries it. The process must never touch a path below `root` with a
 * blocking call: the kernel would ask this very process.
 */
export interface Mount {
  /** Canonical path of the mount point. */
  readonly root: string;
  /** Settles when serving has ended; never rejects. The process may exit only afterwards. */
  readonly ended: Promise<MountEnd>;
  /** Unmounts and waits for the end. EBUSY while the mount is in use: it then goes on being served. */
  unmount(): Promise<MountEnd>;
  /** Ends the mount also while it is in use; open files of others then fail with ENOTCONN. */
  detach(): Promise<MountEnd>;
}

/** How a mount ended: unmounted by somebody, stopped by `detach`, or failed. */
export interface MountEnd {
  readonly reason: 'unmounted' | 'stopped' | 'failed';
  readonly error?: CortexError;
}
