import { writeSync } from 'node:fs';
import { pause } from '@cortexfs/linux/pause';

/**
 * Writes everything, waiting while a reader does not read: blocking is the back-pressure, nothing is queued. A reader that
 * went away ends the process quietly, as it would any Unix filter.
 */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done, bytes.length - done);
    } catch (err) {
      const { code } = err as NodeJS.ErrnoException;
      if (code === 'EPIPE') process.exit(1);
      if (code !== 'EAGAIN') throw err;
      pause(2);
    }
  }
}
