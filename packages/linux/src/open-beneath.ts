import { constants } from 'node:fs';
import { cString, type EntryName } from './entry-name.ts';
import { systemCall } from './native.ts';

const SYS_openat2 = 437;
const RESOLVE_NO_XDEV = 0x01n;
const RESOLVE_NO_MAGICLINKS = 0x02n;
const RESOLVE_NO_SYMLINKS = 0x04n;
const RESOLVE_BENEATH = 0x08n;
const O_CLOEXEC = 0o2000000;

const syscall = systemCall(
  'openat2',
  'long syscall(long number, int dir, const uint8_t *path, void *how, size_t size)',
);

/**
 * Opens `path` relative to the held directory `dir` and nothing outside it: no symlink in any component, no `..`
 * above `dir`, no absolute path. Returns a descriptor that the caller closes. ELOOP for a symlink, EXDEV for a way out.
 */
export function openBeneath(dir: number, path: EntryName, flags: number, mode = 0): number {
  return open(dir, path, flags, mode, 0n);
}

/** The same, and nothing that is mounted below `dir` either: EXDEV. */
export function openOnSameMount(dir: number, path: EntryName, flags: number): number {
  return open(dir, path, flags, 0, RESOLVE_NO_XDEV);
}

function open(dir: number, path: EntryName, flags: number, mode: number, resolve: bigint): number {
  const text = cString(path);
  const how = new BigUint64Array(3);
  how[0] = BigInt(flags | O_CLOEXEC);
  how[1] = BigInt((flags & constants.O_CREAT) === 0 ? 0 : mode);
  how[2] = resolve | RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return syscall(SYS_openat2, dir, text, how, how.byteLength);
}
