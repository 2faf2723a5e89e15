import { closeSync, readSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { type OpenFile, openRegular } from './regular.ts';

/** Reads a small text file of a held directory. EMSGSIZE over the limit, EINVAL when it is not UTF-8. */
export function readText(directory: number, name: string, limit: number, what: string): string {
  const file = openRegular(directory, name);
  try {
    return readOpenText(file, limit, what);
  } finally {
    closeSync(file.descriptor);
  }
}

export function readOpenText({ descriptor }: OpenFile, limit: number, what: string): string {
  // One byte more than allowed, so that a file that grows meanwhile is noticed and never read whole.
  const buffer = Buffer.alloc(limit + 1);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, length);
    if (read === 0) break;
    length += read;
  }
  if (length > limit) throw new CortexError('EMSGSIZE', `${what} is at most ${limit} bytes`);
  return decode(buffer.subarray(0, length));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CortexError('EINVAL', 'is not UTF-8');
  }
}
