import { closeSync, constants, openSync } from 'node:fs';
import { fromNodeError } from '@cortexfs/abi/errors';

const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;
/** A file system in memory on every Linux machine. */
const MEMORY = '/dev/shm';

/** A file without a name, in memory: nothing of it is left when the process ends, however it ends. */
export class AnonymousFile {
  readonly #fd: number;

  constructor() {
    try {
      this.#fd = openSync(MEMORY, O_TMPFILE | constants.O_RDWR | constants.O_APPEND, 0o600);
    } catch (error) {
      throw fromNodeError(error, { path: MEMORY, layer: 'session' });
    }
  }

  use<T>(work: (fd: number) => T): T {
    return work(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
