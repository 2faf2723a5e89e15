import { closeSync, readSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { type OpenFile, openRegular } from './regular.ts';

const PIECE = 16 * 1024;

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
  const pieces: Buffer[] = [];
  let length = 0;
  // One byte more than allowed, so that a file that grows meanwhile is noticed and never read whole.
  while (length <= limit) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, limit + 1 - length));
    const read = readSync(descriptor, piece, 0, piece.length, length);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    length += read;
  }
  if (length > limit) throw new CortexError('EMSGSIZE', `${what} is at most ${limit} bytes`);
  return decode(Buffer.concat(pieces));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CortexError('EINVAL', 'is not UTF-8');
  }
}
