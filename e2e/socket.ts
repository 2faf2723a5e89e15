import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';
import type { Frame } from './frames.ts';

/** A raw client of a JSONL socket. */
export class SocketClient {
  readonly frames: Frame[] = [];
  readonly #socket: Socket;
  #rest = '';
  #waiting: (() => void)[] = [];

  constructor(t: Test, path: string) {
    this.#socket = connect(path);
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (text) => this.#take(String(text)));
    this.#socket.on('error', (error) =>
      this.#take(`${JSON.stringify({ type: 'broken', message: error.message })}\n`),
    );
    t.teardown(() => this.#socket.destroy());
  }

  ask(request: object): void {
    this.#socket.write(`${JSON.stringify(request)}\n`);
  }

  /** The first frame, also of those that came before, that fulfils the condition; waits for it at most so many milliseconds. */
  async frame(wanted: (frame: Frame) => boolean, patience = 60_000): Promise<Frame> {
    const deadline = Date.now() + patience;
    for (;;) {
      const found = this.frames.find(wanted);
      if (found) return found;
      if (Date.now() > deadline)
        throw new Error(`no such frame; got ${JSON.stringify(this.frames.slice(-5))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(1, deadline - Date.now()));
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    this.frames.push(...lines.map((line) => JSON.parse(line) as Frame));
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
