import type { BigIntStats } from 'node:fs';

/** What makes an inode that inode: a reused number has another time of birth. */
export function identityOf(stat: BigIntStats): string {
  return `${stat.dev}.${stat.ino}.${stat.birthtimeNs}`;
}
