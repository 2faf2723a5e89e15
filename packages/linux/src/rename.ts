import { systemCall } from './native.ts';

const AT_FDCWD = -100;
const RENAME_NOREPLACE = 1;
const RENAME_EXCHANGE = 2;

const renameat2 = systemCall(
  'renameat2',
  'int renameat2(int olddir, str old, int newdir, str new, unsigned int flags)',
);

/** Renames, but never over something: EEXIST when `to` exists in any form, a dangling symlink included. */
export function renameNoReplace(from: string, to: string): void {
  renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

/** Swaps two names in one step; both must exist. */
export function renameExchange(a: string, b: string): void {
  renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
}
