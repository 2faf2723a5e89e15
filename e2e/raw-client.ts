import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';
import type { Frame } from './frames.ts';

const PATIENCE_MS = 60_000;

/** A client of a JSONL socket that writes bytes as it is told and keeps every line as it came. */
export class RawClient {
  readonly lines: string[] = [];
  readonly frames: Frame[] = [];
  closed = false;
  readonly #socket: Socket;
  #rest = Buffer.alloc(0);
  #taken = 0;
  #wake = () => {};

  constructor(t: Test, path: string) {
    this.#socket = connect({ path, allowHalfOpen: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    // What there is to know is in the frames that came and in the end.
    this.#socket.on('error', () => {});
    this.#socket.on('end', () => this.#socket.end());
    this.#socket.on('close', () => {
      this.closed = true;
      this.#wake();
    });
    t.teardown(() => this.#socket.destroy());
  }

  /** A frame, or bytes that need not be one. */
  send(what: object | string): this {
    const bytes = what instanceof Uint8Array || typeof what === 'string' ? what : `${JSON.stringify(what)}\n`;
    this.#socket.write(bytes);
    return this;
  }

  /** Closes the sending side, after these bytes. */
  end(bytes = ''): void {
    this.#socket.end(bytes);
  }

  leave(): void {
    this.#socket.destroy();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** The next frame that nobody has taken by `next` yet. */
  async next(): Promise<Frame> {
    const at = this.#taken++;
    return await this.#until(() => this.frames[at]);
  }

  /** The first frame, also of those that came before, that fits. */
  frame(fits: (frame: Frame) => boolean): Promise<Frame> {
    return this.#until(() => this.frames.find(fits));
  }

  /** All frames of the run that a request got, once it is done; throws the error that it got instead. */
  async run(requestId: string): Promise<Frame[]> {
    const start = await this.frame((frame) => frame['request_id'] === requestId);
    if (start.type === 'error') throw new Error(JSON.stringify(start));
    await this.frame(({ type, run }) => type === 'done' && run === start['run']);
    return this.frames.filter(({ run }) => run === start['run']);
  }

  ended(): Promise<true> {
    return this.#until(() => this.closed || undefined);
  }

  async #until<T>(look: () => T | undefined): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      const left = deadline - Date.now();
      if (this.closed || left <= 0)
        throw new Error(`in vain; the last frames: ${JSON.stringify(this.frames.slice(-5))}`);
      await this.#change(left);
    }
  }

  #change(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), milliseconds);
      const before = this.#wake;
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        before();
        resolve();
      };
    });
  }

  #take(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      const line = bytes.toString('utf8', from, at);
      from = at + 1;
      this.lines.push(line);
      this.frames.push(JSON.parse(line) as Frame);
    }
    this.#rest = bytes.subarray(from);
    this.#wake();
  }
}
