import type { BigIntStats } from 'node:fs';
import { type Inode, sameInode } from '@cortexfs/abi/receipt/inode';

/** Whether nobody wrote to a file or changed its mode between two looks at it. A rename in between shows too. */
export function unchanged(before: BigIntStats, after: BigIntStats): boolean {
  return unmodified(before, after) && before.ctimeNs === after.ctimeNs;
}

/** The same where we renamed the file ourselves, which moves its time of change. */
export function unmodified(before: BigIntStats, after: BigIntStats): boolean {
  return sameInode(before, after) && FIELDS.every((field) => before[field] === after[field]);
}

const FIELDS = ['size', 'mode', 'mtimeNs', 'birthtimeNs'] as const;

export function inodeOf({ dev, ino }: BigIntStats): Inode {
  return { dev, ino };
}
