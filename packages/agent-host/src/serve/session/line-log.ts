import { fdatasync, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { AnonymousFile } from './anonymous-file.ts';
import { DescriptorLease } from './descriptors.ts';
import { storageError } from './storage-error.ts';

const syncData = promisify(fdatasync);

/**
 * One append-only file of JSON lines, mode 0600 (docs/host.md, "Session files").
 * A line is written whole or not at all: a failed write (full disk) leaves the file as it was.
 */
export class LineLog {
  readonly path: string;
  readonly #lease: DescriptorLease | AnonymousFile;
  #size: number;
  #synced: number;
  /** Half a line may stand at the end: it could not be cut off when its write failed. */
  #torn = false;

  private constructor(path: string, lease: DescriptorLease | AnonymousFile) {
    this.path = path;
    this.#lease = lease;
    this.#size = this.#lease.use((fd) => fstatSync(fd).size);
    this.#synced = this.#size;
  }

  static open(path: string): LineLog {
    return new LineLog(path, new DescriptorLease(path));
  }

  /** One that no disk ever sees. */
  static inMemory(): LineLog {
    return new LineLog('memory', new AnonymousFile());
  }

  /** Bytes in the file; everything before it is whole lines once the tail was repaired. */
  get size(): number {
    return this.#size;
  }

  /** Appends one line (with its newline) and returns the offset at which it begins. */
  append(line: Uint8Array): number {
    const start = this.#size;
    this.#lease.use((fd) => this.#write(fd, line));
    this.#size = start + line.length;
    return start;
  }

  /** Returns once everything appended before the call is on the disk. */
  async sync(): Promise<void> {
    const size = this.#size;
    if (this.#synced >= size) return;
    try {
      await this.#lease.use((fd) => syncData(fd));
    } catch (error) {
      throw this.#failure(error);
    }
    this.#synced = Math.max(this.#synced, size);
  }

  /** Reads into `target` from `offset`; the count is short only at the end of the file. */
  read(target: Uint8Array, offset: number): number {
    return this.#lease.use((fd) => {
      let filled = 0;
      while (filled < target.length) {
        const count = readSync(fd, target, filled, target.length - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
      return filled;
    });
  }

  /** Cuts the file; only the repair of a torn tail does this. */
  truncate(size: number): void {
    this.#lease.use((fd) => ftruncateSync(fd, size));
    this.#size = size;
    this.#synced = Math.min(this.#synced, size);
  }

  close(): void {
    this.#lease.close();
  }

  #write(fd: number, line: Uint8Array): void {
    let written = 0;
    try {
      if (this.#torn) ftruncateSync(fd, this.#size);
      this.#torn = false;
      while (written < line.length) written += writeSync(fd, line, written);
    } catch (error) {
      if (written > 0) this.#cut(fd);
      throw this.#failure(error);
    }
  }

  /** Tried again before the next line: nothing is ever written behind half a line. */
  #cut(fd: number): void {
    try {
      ftruncateSync(fd, this.#size);
    } catch {
      this.#torn = true;
    }
  }

  #failure(error: unknown) {
    return storageError(error, this.path);
  }
}
