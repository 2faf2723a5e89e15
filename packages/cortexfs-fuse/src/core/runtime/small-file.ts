import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const LIMIT = 64 * 1024;

/** The text of a small regular file of the runtime tree; undefined when there is none that can be used. */
export function readSmallFile(path: string): string | undefined {
  try {
    return readDescriptor(openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  } catch {
    // Absent is the normal case: nothing runs. Anything else proves nothing either.
    return undefined;
  }
}

/** The same of an open file, which is closed. */
export function readDescriptor(fd: number): string | undefined {
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= LIMIT ? readFileSync(fd, 'utf8') : undefined;
  } finally {
    closeSync(fd);
  }
}
