import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM } from '@cortexfs/abi/deployment';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { codeOf } from './native.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * Makes sure that `path` and then each of `below` in turn is a private directory of this user: mode 0700, owned by the
 * effective uid, no symlink. Missing ones are created, but not the parent of `path`. Returns the last one's path.
 * Anything else that stands there is refused with EACCES and left alone: somebody may have planted it
 * (`docs/paths.md`). The machine's runtime directory has mode 0755, for everybody reads the mount's receipt in it.
 */
export function ensureRuntimeDir(path: string, ...below: string[]): string {
  let current = path;
  ensurePrivate(current);
  for (const name of below) {
    current = join(current, name);
    ensurePrivate(current);
  }
  return current;
}

function ensurePrivate(path: string): void {
  const wanted = path === SYSTEM.runtime ? 0o755 : 0o700;
  const created = createDirectory(path);
  const fd = openDirectory(path);
  try {
    // A strange umask must not leave the directory unusable for its owner.
    if (created) fchmodSync(fd, wanted);
    const { uid, mode } = fstatSync(fd);
    const self = process.geteuid!();
    if (uid !== self)
      throw refuse(
        path,
        `belongs to uid ${uid}, not to uid ${self}`,
        'remove it, or set XDG_RUNTIME_DIR to a directory of your own',
      );
    if ((mode & 0o777 & ~wanted) !== 0) {
      throw refuse(
        path,
        `is open to other users (mode ${(mode & 0o7777).toString(8)})`,
        `chmod ${wanted.toString(8)} ${path}`,
      );
    }
  } finally {
    closeSync(fd);
  }
}

function createDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw fromNodeError(error, { path, layer: 'runtime' });
  }
}

function openDirectory(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP')
      throw refuse(path, 'is not a directory', `remove ${path}`);
    throw fromNodeError(error, { path, layer: 'runtime' });
  }
}

function refuse(path: string, why: string, hint: string): CortexError {
  return new CortexError('EACCES', `runtime directory ${why}`, { path, layer: 'runtime', hint });
}
