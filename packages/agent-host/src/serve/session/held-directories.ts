import { closeSync, constants, fchmodSync, mkdirSync, openSync } from 'node:fs';
import { fromNodeError } from '@cortexfs/abi/errors';
import { openBeneath } from '@cortexfs/linux/open-beneath';

const { O_DIRECTORY, O_RDONLY } = constants;

/**
 * Directories in places that others may write to: each is reached without following a link and held, so that what is
 * read and written there stays in the directory that was meant, whatever becomes of its name.
 */
export class HeldDirectories {
  readonly #held: number[] = [];

  /**
   * A path that means the directory `path` below `base` until `close`. With `mode`, missing parts are made with exactly
   * these bits; without it they are ENOENT. ELOOP for a link on the way.
   */
  hold(base: string, path: string, mode?: number): string {
    let directory = openSync(base, O_RDONLY | O_DIRECTORY);
    try {
      for (const name of path.split('/')) {
        const next = step(directory, name, mode);
        closeSync(directory);
        directory = next;
      }
    } catch (error) {
      closeSync(directory);
      throw fromNodeError(error, { path, layer: 'session' });
    }
    this.#held.push(directory);
    return `/proc/self/fd/${directory}`;
  }

  close(): void {
    for (const fd of this.#held.splice(0)) closeSync(fd);
  }
}

function step(directory: number, name: string, mode: number | undefined): number {
  if (mode === undefined || !make(directory, name))
    return openBeneath(directory, name, O_RDONLY | O_DIRECTORY);
  const made = openBeneath(directory, name, O_RDONLY | O_DIRECTORY);
  fchmodSync(made, mode);
  return made;
}

/** False when something of that name is there already. */
function make(directory: number, name: string): boolean {
  try {
    mkdirSync(`/proc/self/fd/${directory}/${name}`, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
