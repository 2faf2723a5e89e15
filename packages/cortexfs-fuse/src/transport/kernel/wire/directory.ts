import type { DirectoryEntry, Entry } from '../../../core/file-system.ts';
import { putEntry, putNoEntry } from './attributes.ts';
import type { Reply } from './reply.ts';

const DIRENT = 24;
const ENTRY = 128;

/** Bytes that an entry takes in a READDIR (or, with `plus`, READDIRPLUS) reply. */
export function listedSize(nameBytes: number, plus: boolean): number {
  return padded(DIRENT + nameBytes) + (plus ? ENTRY : 0);
}

/** `fuse_dirent`. */
export function putListed(reply: Reply, entry: DirectoryEntry, name: Buffer): void {
  reply
    .big(entry.ino)
    .u64(entry.cookie)
    .u32(name.length)
    .u32((entry.type & 0o170000) >> 12);
  reply.append(name).zeros(padded(DIRENT + name.length) - DIRENT - name.length);
}

/** `fuse_direntplus`; without a node the kernel looks the name up itself. */
export function putListedPlus(
  reply: Reply,
  listed: DirectoryEntry,
  name: Buffer,
  entry: Entry | undefined,
): void {
  if (entry) putEntry(reply, entry);
  else putNoEntry(reply);
  putListed(reply, listed, name);
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}
