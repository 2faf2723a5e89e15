import type { InodeStat } from '@cortexfs/linux/stat-at';

/** What makes an inode that inode: a reused number has another time of birth. */
export function identityOf(stat: InodeStat): string {
  return `${stat.dev}.${stat.ino}.${stat.birthtimeNs}`;
}
