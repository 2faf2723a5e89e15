import { writeSync } from 'node:fs';

/** Input that the program has not taken yet; more is refused, so that memory stays bounded. */
export const INPUT_LIMIT = 1024 * 1024;
const RETRY_MS = 8;

/**
 * Bytes on their way to the program. The event loop offers only blocking writes to the master side,
 * so this writes what the kernel takes at once and tries the rest again shortly after.
 */
export class PtyInput {
  readonly #master: number;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(master: number) {
    this.#master = master;
  }

  /** False when too much earlier input is still unread: nothing of `bytes` was taken then. */
  write(bytes: Uint8Array): boolean {
    if (this.#bytes + bytes.length > INPUT_LIMIT) return false;
    if (bytes.length === 0) return true;
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#timer === undefined) this.#flush();
    return true;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#bytes = 0;
  }

  #flush(): void {
    this.#timer = undefined;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const written = writeNow(this.#master, next);
      this.#bytes -= written;
      if (written === next.length) {
        this.#waiting.shift();
        continue;
      }
      this.#waiting[0] = next.subarray(written);
      this.#timer = setTimeout(() => this.#flush(), RETRY_MS);
      return;
    }
  }
}

/** Bytes that the kernel took; 0 when it takes none now, or when the program is gone and its exit is on the way. */
function writeNow(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EIO') return 0;
    throw error;
  }
}
