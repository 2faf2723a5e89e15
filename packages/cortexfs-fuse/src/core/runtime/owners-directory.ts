import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { mountOfDescriptor } from '@cortexfs/linux/mount-table';
import { O_PATH } from '@cortexfs/linux/o-path';
import { openOnSameMount } from '@cortexfs/linux/open-beneath';
import { DIRECTORY, typeOf } from '../store/mode.ts';
import { readDescriptor } from './small-file.ts';

/**
 * The text of a small file in the first of these directories that is the owner's own; undefined when there is none that
 * can be used. The owner may have put anything there: no link is followed, nothing that is not theirs is read, and
 * nothing is asked of a file system that they have mounted there, which might never answer.
 */
export function readOwnersFile(
  directories: readonly string[],
  owner: number,
  path: string,
): string | undefined {
  for (const directory of directories) {
    const text = inOwners(directory, owner, (fd) => {
      const file = openOnSameMount(fd, path, constants.O_RDONLY | constants.O_NONBLOCK);
      return fstatSync(file).uid === owner ? readDescriptor(file) : closeSync(file);
    });
    if (typeof text === 'string') return text;
  }
  return undefined;
}

/** Whether it is a directory of this user alone: mode 0700, no link. */
export function isOwnersRuntime(directory: string, owner: number): boolean {
  return inOwners(directory, owner, () => true) ?? false;
}

/** Runs `use` with the directory, when it is the owner's own; undefined otherwise, and when `use` fails. */
function inOwners<T>(directory: string, owner: number, use: (fd: number) => T): T | undefined {
  const open: number[] = [];
  try {
    // Opening a place asks nothing of the file system it is on.
    const above = openSync(dirname(directory), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    open.push(above);
    if (mountOfDescriptor(above)?.type.startsWith('fuse') ?? true) return undefined;
    const fd = openOnSameMount(
      above,
      directory.slice(dirname(directory).length + 1),
      O_PATH | constants.O_DIRECTORY,
    );
    open.push(fd);
    const { uid, mode } = fstatSync(fd);
    return typeOf(mode) === DIRECTORY && uid === owner && (mode & 0o077) === 0 ? use(fd) : undefined;
  } catch {
    // Absent is the normal case: nothing runs. Anything else proves nothing either.
    return undefined;
  } finally {
    for (const fd of open) closeSync(fd);
  }
}
