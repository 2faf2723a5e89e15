import { readSync } from 'node:fs';

/** The kernel takes fewer bytes than it asked for as the end of the file, so a short read goes on until there is none. */
export function readWhole(fd: number, target: Buffer, start: number, size: number, offset: number): number {
  let done = 0;
  while (done < size) {
    const count = readSync(fd, target, start + done, size - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
