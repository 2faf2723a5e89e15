import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { Attr } from './file-system.ts';

/** What the store says of an inode, as the kernel wants it. */
export function attrOf(stat: InodeStat): Attr {
  return {
    ino: stat.ino,
    mode: Number(stat.mode),
    nlink: Number(stat.nlink),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    rdev: Number(stat.rdev),
    size: Number(stat.size),
    blocks: Number(stat.blocks),
    blksize: Number(stat.blksize),
    atimeNs: stat.atimeNs,
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
  };
}

/** The same inode with other content: an executable shown as metadata, a document with something added. */
export function withContent(attr: Attr, bytes: number): Attr {
  return { ...attr, size: bytes, blocks: blocksFor(bytes) };
}

/** Attributes of something that has no inode in the store. */
export function madeUp(
  path: string,
  facts: Pick<Attr, 'mode' | 'uid' | 'gid'>,
  since: bigint,
  bytes = 0,
): Attr {
  return {
    ...facts,
    ino: inodeFor(path),
    nlink: 1,
    rdev: 0,
    size: bytes,
    blocks: blocksFor(bytes),
    blksize: 4096,
    atimeNs: since,
    mtimeNs: since,
    ctimeNs: since,
  };
}

const blocksFor = (bytes: number) => Math.ceil(bytes / 512);

/** A stable inode number far above those of real file systems: FNV-1a of the path, in two halves of 31 bits. */
export function inodeFor(path: string): bigint {
  return (1n << 62n) | (BigInt(hash(path, 0x811c9dc5)) << 31n) | BigInt(hash(path, 0x1000193));
}

function hash(text: string, seed: number): number {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value ^ (value >>> 15)) & 0x7fffffff;
}
