import { readSync } from 'node:fs';

export interface Page {
  readonly bytes: Buffer;
  /** There are bytes after these. */
  readonly more: boolean;
}

/** At most `limit` bytes from `offset` on. Reads to the end rather than trust a size, which some files do not tell. */
export function readPage(fd: number, offset: number, limit: number): Page {
  const buffer = Buffer.allocUnsafe(limit + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, offset + length);
    if (count === 0) break;
    length += count;
  }
  return { bytes: buffer.subarray(0, Math.min(length, limit)), more: length > limit };
}
