import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { O_PATH } from '@cortexfs/linux/o-path';
import type { RequestContext } from '../file-system.ts';
import { refuse } from '../refuse.ts';
import type { Location } from '../store/location.ts';
import { pathOf } from '../store/store.ts';
import type { World } from '../world.ts';

/** Who gets what is created in a directory. */
export interface Recipient {
  /** The mode to create with, so that nobody else can reach it before it has its owner. */
  initialMode(mode: number): number;
  giveOpen(fd: number, mode: number): void;
  /** What was created under this path a moment ago; ESTALE when something else stands there by now. */
  give(path: string, mode: number): void;
}

/**
 * Who asked. In a set-group-id directory the store's own file system has chosen the group already. An unprivileged
 * mount serves its own user, to whom everything belongs as it is.
 */
export function recipientFor(
  { self, store }: World,
  { uid, gid }: RequestContext,
  directory: Location,
): Recipient {
  if (self.uid !== 0 || (uid === self.uid && gid === self.gid)) return nobodyElse;
  const inherited = statSync(store.descriptorPath(directory)).mode & SET_GROUP_ID;
  const giveOpen = (fd: number, mode: number) => {
    chownSync(pathOf(fd), uid, inherited ? -1 : gid);
    const stat = fstatSync(fd);
    if (!stat.isSymbolicLink()) chmodSync(pathOf(fd), (mode & 0o7777) | (stat.isDirectory() ? inherited : 0));
  };
  return {
    initialMode: () => 0,
    giveOpen,
    give: (path, mode) => onNew(path, self.uid, (fd) => giveOpen(fd, mode)),
  };
}

const SET_GROUP_ID = 0o2000;
/** What is created belongs to whom the mount runs as. */
export const nobodyElse: Recipient = {
  initialMode: (mode) => mode & 0o7777,
  giveOpen: () => {},
  give: () => {},
};

/** Whoever may write the directory could have put something else there; giving that away would be an attack's success. */
function onNew(path: string, maker: number, use: (fd: number) => void): void {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    if (!isUntouched(fstatSync(fd), maker))
      throw refuse('ESTALE', path, 'it was replaced while being created');
    use(fd);
  } finally {
    closeSync(fd);
  }
}

function isUntouched(stat: Stats, maker: number): boolean {
  if (stat.uid !== maker) return false;
  if (stat.isSymbolicLink()) return stat.nlink === 1;
  return (stat.mode & 0o777) === 0 && (stat.isDirectory() || stat.nlink === 1);
}
