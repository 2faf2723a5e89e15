import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { fromNodeError } from '@cortexfs/abi/errors';
import { O_PATH } from '@cortexfs/linux/o-path';

/** What a path led to when it was judged. A path can lead elsewhere a moment later, this cannot. */
export interface Identity {
  dev: bigint;
  ino: bigint;
}

export interface Located {
  /** Without links, as it was at that moment. */
  path: string;
  identity: Identity;
  isDirectory: boolean;
  uid: number;
  /** Permission bits. */
  mode: number;
}

/** Follows `path` once. `expect` refuses anything but a directory (ENOTDIR). */
export function locate(path: string, expect: 'directory' | 'any' = 'any'): Located {
  let fd: number | undefined;
  try {
    fd = openSync(path, O_PATH | (expect === 'directory' ? constants.O_DIRECTORY : 0));
    const { dev, ino, uid, mode } = fstatSync(fd, { bigint: true });
    return {
      path: readlinkSync(`/proc/self/fd/${fd}`),
      identity: { dev, ino },
      isDirectory: (Number(mode) & constants.S_IFMT) === constants.S_IFDIR,
      uid: Number(uid),
      mode: Number(mode) & 0o7777,
    };
  } catch (error) {
    throw fromNodeError(error, { path, layer: 'sandbox' });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

export const sameIdentity = (a: Identity, b: Identity) => a.dev === b.dev && a.ino === b.ino;
