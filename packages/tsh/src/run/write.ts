import { writeSync } from 'node:fs';
import { pause } from '@cortexfs/linux/pause';

const RETRY_MS = 2;

/** Writes everything before it returns, so that it comes before what a tool writes next. A reader that is gone is no error. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSome(fd, bytes.subarray(done));
}

function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE' || code === 'EIO') return bytes.length;
    if (code !== 'EAGAIN') throw error;
    // Somebody made the pipe non-blocking, and it is full.
    pause(RETRY_MS);
    return 0;
  }
}
