import { CortexError } from '@cortexfs/abi/errors';
import type { NativeRequest } from './addon.ts';
import { wide } from './answer.ts';

/** Where fuse-native 2.2.6 keeps the two times of utimens(2) in a request, on machines with 64-bit pointers. */
const ATIME = 104;
const MTIME = 112;

/**
 * The times to set, in nanoseconds. The add-on hands over the access time twice and never the time of modification, so that
 * one is read from the request itself; ENOTSUP when the request does not look as this version's do.
 */
export function timesOf(
  request: NativeRequest,
  atimeLow: number,
  atimeHigh: number,
): { atime: bigint; mtime: bigint } {
  if (request.length < MTIME + 8 || request.readBigUInt64LE(ATIME) !== BigInt(wide(atimeLow, atimeHigh)))
    throw new CortexError('ENOTSUP', 'times cannot be set with this build of fuse-native');
  return { atime: nanoseconds(request, ATIME), mtime: nanoseconds(request, MTIME) };
}

function nanoseconds(request: NativeRequest, offset: number): bigint {
  return request.readBigInt64LE(offset) * 1_000_000n;
}
