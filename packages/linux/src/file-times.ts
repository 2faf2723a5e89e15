import { systemCall } from './native.ts';

const AT_FDCWD = -100;
const UTIME_NOW = 0x3fffffffn;
const UTIME_OMIT = 0x3ffffffen;
const NANOSECONDS = 1_000_000_000n;

/** Nanoseconds since the epoch, the time of the call, or undefined to leave it. */
export type FileTime = bigint | 'now' | undefined;

const utimensat = systemCall('utimensat', 'int utimensat(int dir, str path, const void *times, int flags)');

/** Sets access and modification time to the nanosecond, which Node's own functions round. Follows a final link. */
export function setFileTimes(path: string, { atime, mtime }: { atime: FileTime; mtime: FileTime }): void {
  utimensat(AT_FDCWD, path, new BigInt64Array([...timespec(atime), ...timespec(mtime)]), 0);
}

function timespec(time: FileTime): [bigint, bigint] {
  if (time === undefined) return [0n, UTIME_OMIT];
  if (time === 'now') return [0n, UTIME_NOW];
  const nanoseconds = ((time % NANOSECONDS) + NANOSECONDS) % NANOSECONDS;
  return [(time - nanoseconds) / NANOSECONDS, nanoseconds];
}
