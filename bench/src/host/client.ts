import { connect, type Socket } from 'node:net';

/** One connection that counts time in lines. */
export class LineClient {
  readonly #socket: Socket;
  #rest = '';
  #line: (line: string) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop()!;
      for (const line of lines) this.#line(line);
    });
  }

  static open(path: string): Promise<LineClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      socket.once('error', reject);
      socket.once('connect', () => resolve(new LineClient(socket)));
    });
  }

  /** Sends a frame and hands on every line until `last` says that it was the last. */
  exchange(frame: object, last: (line: string) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#line = (line) => {
        if (last(line)) resolve();
      };
      this.#socket.write(`${JSON.stringify(frame)}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
