import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { fromNodeError } from '@cortexfs/abi/errors';

const syncData = promisify(fdatasync);
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/**
 * One append-only file of JSON lines, mode 0600 (docs/host.md, "Session files").
 * A line is written whole or not at all: a failed write (full disk) leaves the file as it was.
 */
export class LineLog {
  readonly path: string;
  readonly #fd: number;
  #size: number;
  #synced: number;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
    this.#size = fstatSync(fd).size;
    this.#synced = this.#size;
  }

  static open(path: string): LineLog {
    try {
      return new LineLog(path, openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600));
    } catch (error) {
      throw fromNodeError(error, { path, layer: 'session' });
    }
  }

  /** Bytes in the file; everything before it is whole lines once the tail was repaired. */
  get size(): number {
    return this.#size;
  }

  /** Appends one line (with its newline) and returns the offset at which it begins. */
  append(line: Uint8Array): number {
    const start = this.#size;
    let written = 0;
    try {
      while (written < line.length) written += writeSync(this.#fd, line, written);
    } catch (error) {
      if (written > 0) ftruncateSync(this.#fd, start);
      throw fromNodeError(error, { path: this.path, layer: 'session' });
    }
    this.#size = start + line.length;
    return start;
  }

  /** Returns once everything appended before the call is on the disk. */
  async sync(): Promise<void> {
    const size = this.#size;
    if (this.#synced >= size) return;
    try {
      await syncData(this.#fd);
    } catch (error) {
      throw fromNodeError(error, { path: this.path, layer: 'session' });
    }
    this.#synced = Math.max(this.#synced, size);
  }

  /** Reads into `target` from `offset`; the count is short only at the end of the file. */
  read(target: Uint8Array, offset: number): number {
    let filled = 0;
    while (filled < target.length) {
      const count = readSync(this.#fd, target, filled, target.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  /** Cuts the file; only the repair of a torn tail does this. */
  truncate(size: number): void {
    ftruncateSync(this.#fd, size);
    this.#size = size;
    this.#synced = Math.min(this.#synced, size);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
