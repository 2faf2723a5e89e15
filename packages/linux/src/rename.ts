import { cString } from './entry-name.ts';
import { systemCall } from './native.ts';

const AT_FDCWD = -100;
export const RENAME_NOREPLACE = 1;
const RENAME_EXCHANGE = 2;

export const renameat2 = systemCall(
  'renameat2',
  'int renameat2(int olddir, const uint8_t *old, int newdir, const uint8_t *new, unsigned int flags)',
);

/** Renames, but never over something: EEXIST when `to` exists in any form, a dangling symlink included. */
export function renameNoReplace(from: string, to: string): void {
  renameat2(AT_FDCWD, cString(from), AT_FDCWD, cString(to), RENAME_NOREPLACE);
}

/** Swaps two names in one step; both must exist. */
export function renameExchange(a: string, b: string): void {
  renameat2(AT_FDCWD, cString(a), AT_FDCWD, cString(b), RENAME_EXCHANGE);
}
