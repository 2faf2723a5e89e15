import type { ErrnoName } from '@cortexfs/abi/errno';
import { type CortexError, fromNodeError } from '@cortexfs/abi/errors';

/** What a person can do when a session cannot be written; the host goes on by itself once it can (docs/host.md, "Faults"). */
const HINTS: Partial<Record<ErrnoName, (path: string) => string>> = {
  ENOSPC: (path) => `free some space and send it again: df -h ${path}`,
  EDQUOT: (path) => `free some of your quota and send it again: df -h ${path}`,
  EROFS: (path) => `make the file system writable again: findmnt -T ${path}`,
  EIO: () => 'the disk fails: see what the kernel says with dmesg',
  ENOENT: () => 'the files of the session were removed: stop the agent and start it again',
};

/** An error of a session's file, with that file's path and, for faults of the disk, what to do. */
export function storageError(error: unknown, path: string): CortexError {
  const found = fromNodeError(error, { path, layer: 'session' });
  const hint = HINTS[found.code]?.(path);
  return hint === undefined ? found : fromNodeError(found, { hint });
}
