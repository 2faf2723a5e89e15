import { chmodSync, chownSync, closeSync, constants, ftruncateSync, openSync } from 'node:fs';
import { setFileTimes } from '@cortexfs/linux/file-times';
import type { AttrChange, RequestContext } from '../file-system.ts';
import type { OpenFile } from '../node/open-file.ts';
import { pathOf } from '../store/store.ts';
import type { TreeItem } from './item.ts';

/** chmod, chown, truncate and utimens in one; the kernel has checked that the caller may. Size goes first: it may fail for lack of space. */
export function changeAttributes(
  item: TreeItem,
  _context: RequestContext,
  { mode, uid, gid, size, atime, mtime }: AttrChange,
  file?: OpenFile,
): void {
  if (size !== undefined && file !== undefined) file.truncate(size);
  item.pinned((fd) => {
    const path = pathOf(fd);
    if (size !== undefined && file === undefined) truncate(path, size);
    if (uid !== undefined || gid !== undefined) chownSync(path, uid ?? -1, gid ?? -1);
    if (mode !== undefined) chmodSync(path, mode & 0o7777);
    if (atime !== undefined || mtime !== undefined) setFileTimes(path, { atime, mtime });
  });
}

function truncate(path: string, size: number): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    ftruncateSync(fd, size);
  } finally {
    closeSync(fd);
  }
}
