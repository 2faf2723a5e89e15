import { constants } from 'node:fs';
import { cString, type EntryName, oneComponent } from './entry-name.ts';
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
  return open(dir, cString(path), flags, mode, RESOLVE_BENEATH);
}

/** The same, and nothing that is mounted below `dir` either: EXDEV. */
export function openOnSameMount(dir: number, path: EntryName, flags: number): number {
  return open(dir, cString(path), flags, 0, RESOLVE_BENEATH | RESOLVE_NO_XDEV);
}

/**
 * The same for one name in the directory itself, which cannot lead out: also while somebody moves it away, where `openBeneath` may
 * see a way out (EXDEV).
 */
export function openName(dir: number, name: EntryName, flags: number, mode = 0): number {
  return open(dir, oneComponent(name), flags, mode, 0n);
}

function open(dir: number, path: Uint8Array, flags: number, mode: number, resolve: bigint): number {
  const how = new BigUint64Array(3);
  how[0] = BigInt(flags | O_CLOEXEC);
  how[1] = BigInt((flags & constants.O_CREAT) === 0 ? 0 : mode);
  how[2] = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | resolve;
  return syscall(SYS_openat2, dir, path, how, how.byteLength);
}
