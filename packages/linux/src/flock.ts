import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CortexError } from '@cortexfs/abi/errors';
import { codeOf, systemCall } from './native.ts';

const LOCK_EX = 2;
const LOCK_NB = 4;
const RETRY_MS = 20;

const flock = systemCall('flock', 'int flock(int fd, int operation)');

/** An exclusive lock; the kernel also drops it when the process dies, however it dies. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the exclusive lock on a file, which is created (0600) when missing and never deleted. Waits up to `timeoutMs`
 * (0: not at all), then throws EBUSY. A symlink at `path` is refused.
 */
export async function lockFile(path: string, { timeoutMs = 0 } = {}): Promise<FileLock> {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  const deadline = performance.now() + timeoutMs;
  try {
    while (!tryLock(fd)) {
      if (performance.now() >= deadline)
        throw new CortexError('EBUSY', 'locked by another process', { path });
      await delay(RETRY_MS);
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return { release: () => closeSync(fd) };
}

/** Takes the lock of an open file now, or answers false. It lasts until every copy of the descriptor is closed. */
export function tryLock(fd: number): boolean {
  try {
    flock(fd, LOCK_EX | LOCK_NB);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return false;
    throw error;
  }
}
