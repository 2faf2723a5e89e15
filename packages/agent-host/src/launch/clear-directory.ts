import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fromNodeError } from '@cortexfs/abi/errors';
import { findHostProgram } from '@cortexfs/linux/host-program';

/**
 * Empties a directory that a sandbox may write, once nothing of that sandbox runs: whatever was planted there, such as
 * a directory where the socket goes, must not keep the next terminal from starting. No link is followed.
 */
export function clearDirectory(path: string): void {
  for (const name of namesIn(path)) removeTree(join(path, name));
}

function removeTree(path: string): void {
  // Node's own removal goes by paths, and an agent can make deeper trees than a path can name.
  try {
    if (lstatSync(path).isDirectory()) {
      execFileSync(findHostProgram('rm'), ['-rf', '--', path], { env: {}, stdio: 'ignore' });
    } else unlinkSync(path);
  } catch (error) {
    throw fromNodeError(error, { path, layer: 'runtime' });
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fromNodeError(error, { path, layer: 'runtime' });
  }
}
