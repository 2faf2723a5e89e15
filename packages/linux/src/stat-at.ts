import type { BigIntStats } from 'node:fs';
import { ERRNO } from '@cortexfs/abi/errno';
import { plainCall, systemError } from './native.ts';

/** What stat(2) tells of an inode, in the units of Node's own `BigIntStats`, without its dates. */
export type InodeStat = Pick<
  BigIntStats,
  | 'dev'
  | 'ino'
  | 'mode'
  | 'nlink'
  | 'uid'
  | 'gid'
  | 'rdev'
  | 'size'
  | 'blocks'
  | 'blksize'
  | 'atimeNs'
  | 'mtimeNs'
  | 'ctimeNs'
  | 'birthtimeNs'
>;

const statx = plainCall('int statx(int dir, str path, int flags, unsigned int mask, void *stat)');

const AT_SYMLINK_NOFOLLOW = 0x100;
const BASIC_AND_BIRTH = 0xfff;
const SECOND = 1_000_000_000n;

/** `struct statx`; the one buffer, read as soon as it is filled. */
const buffer = new ArrayBuffer(256);
const u32 = new Uint32Array(buffer);
const u64 = new BigUint64Array(buffer);
const i64 = new BigInt64Array(buffer);

/**
 * lstat of one name in an open directory, undefined when it is absent. Two or three times as fast as Node's function on
 * `/proc/self/fd/N/NAME`: no walk through /proc, no dates.
 */
export function statAt(directory: number, name: string): InodeStat | undefined {
  const result = statx(directory, name, AT_SYMLINK_NOFOLLOW, BASIC_AND_BIRTH, buffer);
  if (result === 0) return read();
  if (result === -ERRNO.ENOENT || result === -ERRNO.ENOTDIR) return undefined;
  throw systemError('statx', -result);
}

function read(): InodeStat {
  return {
    dev: deviceNumber(u32[34]!, u32[35]!),
    ino: u64[4]!,
    mode: BigInt(u32[7]! & 0xffff),
    nlink: BigInt(u32[4]!),
    uid: BigInt(u32[5]!),
    gid: BigInt(u32[6]!),
    rdev: deviceNumber(u32[32]!, u32[33]!),
    size: u64[5]!,
    blocks: u64[6]!,
    blksize: BigInt(u32[1]!),
    atimeNs: time(8),
    birthtimeNs: time(10),
    ctimeNs: time(12),
    mtimeNs: time(14),
  };
}

/** `struct statx_timestamp` at a word of 64 bits. */
const time = (at: number) => i64[at]! * SECOND + BigInt(u32[at * 2 + 2]!);

/** As gnu_dev_makedev(3) packs it. */
function deviceNumber(major: number, minor: number): bigint {
  const low = ((major & 0xfff) << 8) | (minor & 0xff);
  if (major < 0x1000 && minor < 0x100) return BigInt(low);
  return BigInt(low) | (BigInt(minor & ~0xff) << 12n) | (BigInt(major & ~0xfff) << 32n);
}
