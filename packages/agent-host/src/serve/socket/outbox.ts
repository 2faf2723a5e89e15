import type { Socket } from 'node:net';

/** Most bytes that wait in memory for one connection's reader (docs/host.md, "Back-pressure"). */
export const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * The writing side of one connection. `send` resolves once the frames were taken, which is when there is room for them:
 * a reader that does not read makes its own streams wait, and nothing else.
 */
export class Outbox {
  readonly #socket: Socket;
  readonly #closed = new AbortController();
  #waiting: (() => void)[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('drain', () => this.#wake());
    socket.on('close', () => {
      this.#closed.abort();
      this.#wake();
    });
  }

  /** Aborted when the connection is gone. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Whole frames only: other senders' frames may come between two calls. False when the connection is gone. */
  async send(frames: Uint8Array): Promise<boolean> {
    while (!this.#fits(frames.length)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (!this.#socket.writable) return false;
    this.#socket.write(frames);
    return true;
  }

  #fits(bytes: number): boolean {
    const buffered = this.#socket.writableLength;
    return !this.#socket.writable || buffered === 0 || buffered + bytes <= MAX_BUFFERED_BYTES;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
