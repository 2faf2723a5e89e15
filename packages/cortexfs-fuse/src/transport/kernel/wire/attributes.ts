import type { Attr, AttrReply, Entry } from '../../../core/file-system.ts';
import type { Reply } from './reply.ts';

const SECOND = 1_000_000_000n;

/** `fuse_entry_out`: a name resolved to a node, 128 bytes. */
export function putEntry(reply: Reply, entry: Entry): void {
  reply.u64(entry.node).u64(entry.generation);
  reply.u64(seconds(entry.entryTtl)).u64(seconds(entry.attrTtl));
  reply.u32(nanoseconds(entry.entryTtl)).u32(nanoseconds(entry.attrTtl));
  putAttr(reply, entry.attr);
}

/** In a listing: no node, the kernel has to look the name up if it wants one. */
export function putNoEntry(reply: Reply): void {
  reply.zeros(128);
}

/** `fuse_attr_out`, 104 bytes. */
export function putAttrReply(reply: Reply, { attr, attrTtl }: AttrReply): void {
  reply.u64(seconds(attrTtl)).u32(nanoseconds(attrTtl)).u32(0);
  putAttr(reply, attr);
}

/** `fuse_attr`, 88 bytes. Times before 1970 are negative seconds with nanoseconds from 0 up. */
function putAttr(reply: Reply, attr: Attr): void {
  const times = [attr.atimeNs, attr.mtimeNs, attr.ctimeNs].map(splitTime);
  reply.big(attr.ino).u64(attr.size).u64(attr.blocks);
  for (const time of times) reply.big(time.seconds);
  for (const time of times) reply.u32(time.nanoseconds);
  reply.u32(attr.mode).u32(attr.nlink).u32(attr.uid).u32(attr.gid).u32(attr.rdev).u32(attr.blksize).u32(0);
}

function splitTime(time: bigint) {
  const nanoseconds = ((time % SECOND) + SECOND) % SECOND;
  return { seconds: (time - nanoseconds) / SECOND, nanoseconds: Number(nanoseconds) };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function nanoseconds(milliseconds: number): number {
  return Math.round((milliseconds % 1000) * 1e6);
}
