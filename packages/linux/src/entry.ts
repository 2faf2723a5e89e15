import { type BigIntStats, closeSync, constants, fstatSync } from 'node:fs';
import { type EntryName, oneComponent } from './entry-name.ts';
import { codeOf, systemCall } from './native.ts';
import { O_PATH } from './o-path.ts';
import { openName } from './open-beneath.ts';
import { RENAME_NOREPLACE, renameat2 } from './rename.ts';

/**
 * The entries of held directories, by descriptor and one name: no path is resolved, so that nothing swapped into one
 * is met. None of these follows a symbolic link.
 */

const AT_REMOVEDIR = 0x200;

const mkdirat = systemCall('mkdirat', 'int mkdirat(int dir, const uint8_t *name, unsigned int mode)');
const unlinkat = systemCall('unlinkat', 'int unlinkat(int dir, const uint8_t *name, int flags)');

/** EEXIST when the name is taken, by whatever. The umask takes bits of `mode` away. */
export function makeDirectory(dir: number, name: EntryName, mode: number): void {
  mkdirat(dir, oneComponent(name), mode);
}

/** Removes anything but a directory (EISDIR). */
export function removeFile(dir: number, name: EntryName): void {
  unlinkat(dir, oneComponent(name), 0);
}

/** Removes an empty directory: ENOTEMPTY when it is not, ENOTDIR when it is none. */
export function removeDirectory(dir: number, name: EntryName): void {
  unlinkat(dir, oneComponent(name), AT_REMOVEDIR);
}

/** Moves an entry to a name that must be free (EEXIST), also between directories of one file system. */
export function moveEntry(from: number, name: EntryName, to: number, newName: EntryName): void {
  renameat2(from, oneComponent(name), to, oneComponent(newName), RENAME_NOREPLACE);
}

/** What stands under the name; undefined when nothing does. */
export function statusOf(dir: number, name: EntryName): BigIntStats | undefined {
  const descriptor = openEntry(dir, name, O_PATH);
  if (descriptor === undefined) return undefined;
  try {
    return fstatSync(descriptor, { bigint: true });
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a directory to read and sync it; undefined when nothing is there. ENOTDIR for anything else, a link included. */
export function openDirectory(dir: number, name: EntryName): number | undefined {
  return openEntry(dir, name, constants.O_RDONLY | constants.O_DIRECTORY);
}

function openEntry(dir: number, name: EntryName, flags: number): number | undefined {
  try {
    return openName(dir, name, flags | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
