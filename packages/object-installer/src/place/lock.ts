import { closeSync, constants } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CortexError } from '@cortexfs/abi/errors';
import { tryLock } from '@cortexfs/linux/flock';
import { openName } from '@cortexfs/linux/open-beneath';

/** In each directory that something was installed in; hidden from the mount, empty, never removed. */
export const LOCK_FILE = '.cortexfs-lock';

const PATIENCE_MS = 30_000;
const RETRY_MS = 20;

/**
 * One installer at a time changes a class directory. Returns the descriptor, whose closing frees the lock, as does
 * the end of the process. A file closed to others, since whoever can open it can hold it. EBUSY after 30 s.
 */
export async function lockDirectory(directory: number, path: string): Promise<number> {
  // Only for reading: one open for writing would keep a file system from being made read-only.
  const flags = constants.O_RDONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = openName(directory, LOCK_FILE, flags, 0o600);
  for (const deadline = performance.now() + PATIENCE_MS; !tryLock(file); await delay(RETRY_MS)) {
    if (performance.now() < deadline) continue;
    closeSync(file);
    throw new CortexError('EBUSY', 'another installer is at work there', {
      path,
      hint: 'try again when it is done',
    });
  }
  return file;
}
