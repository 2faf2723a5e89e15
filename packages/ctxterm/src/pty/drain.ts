import { readSync } from 'node:fs';

/** More than the kernel can hold back for a pseudo-terminal; what comes after it was written by survivors. */
const DRAIN_LIMIT = 1024 * 1024;

/**
 * Reads what a finished process left in its pseudo-terminal, until the kernel has no more.
 * The slave must still be held open: the master then answers EAGAIN, and only after it has
 * flushed everything written so far.
 */
export function drain(master: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let total = 0; total < DRAIN_LIMIT; ) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const length = readNow(master, chunk);
    if (length === 0) break;
    chunks.push(chunk.subarray(0, length));
    total += length;
  }
  return chunks;
}

function readNow(fd: number, into: Buffer): number {
  try {
    return readSync(fd, into);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EIO') return 0;
    throw error;
  }
}
