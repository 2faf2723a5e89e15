import { constants } from 'node:fs';
import { systemCall } from './native.ts';

const SYS_openat2 = 437;
const RESOLVE_NO_MAGICLINKS = 0x02n;
const RESOLVE_NO_SYMLINKS = 0x04n;
const RESOLVE_BENEATH = 0x08n;
const O_CLOEXEC = 0o2000000;

const syscall = systemCall('openat2', 'long syscall(long number, int dir, str path, void *how, size_t size)');

/**
 * Opens `path` relative to the held directory `dir` and nothing outside it: no symlink in any component, no `..`
 * above `dir`, no absolute path. Returns a descriptor that the caller closes. ELOOP for a symlink, EXDEV for a way out.
 */
export function openBeneath(dir: number, path: string, flags: number, mode = 0): number {
  if (path.includes('\0')) throw Object.assign(new Error('EINVAL: the path holds a NUL'), { code: 'EINVAL' });
  const how = new BigUint64Array(3);
  how[0] = BigInt(flags | O_CLOEXEC);
  how[1] = BigInt((flags & constants.O_CREAT) === 0 ? 0 : mode);
  how[2] = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return syscall(SYS_openat2, dir, path, how, how.byteLength);
}
