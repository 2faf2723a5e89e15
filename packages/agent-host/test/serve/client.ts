import { connect, type Socket } from 'node:net';
import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';

/** A frame as it came, keys and all. */
export type Frame = { readonly type: string; readonly [key: string]: unknown };

/** A client of an agent's socket that keeps every frame, raw and parsed. */
export class Client {
  readonly frames: Frame[] = [];
  readonly lines: string[] = [];
  readonly socket: Socket;
  closed = false;
  #text = '';
  #waiting = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  static open(path: string): Promise<Client> {
    return new Promise((resolve, reject) => {
      const socket = connect({ path, allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Client(socket)));
    });
  }

  send(frame: object | string): this {
    this.socket.write(typeof frame === 'string' ? frame : `${JSON.stringify(frame)}\n`);
    return this;
  }

  /** The first frame that fits, now or later; rejects after a minute or when the connection ends without it. */
  async until(fits: (frame: Frame) => boolean, seconds = 60): Promise<Frame> {
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      const left = deadline - performance.now();
      if (this.closed || left <= 0)
        throw new Error(`no such frame; got ${JSON.stringify(this.frames).slice(-2000)}`);
      await this.#next(left);
    }
  }

  type(type: AgentReply['type']): Promise<Frame> {
    return this.until((frame) => frame.type === type);
  }

  /** The frames of one request's run, once it is done. */
  async run(requestId: string): Promise<Frame[]> {
    const start = await this.until((frame) => frame['request_id'] === requestId);
    if (start.type === 'error')
      throw Object.assign(new Error(String(start['message'])), { code: start['code'] });
    await this.until((frame) => frame.type === 'done' && frame['run'] === start['run']);
    return this.frames.filter((frame) => frame['run'] === start['run']);
  }

  async ended(): Promise<void> {
    while (!this.closed) await this.#next(60_000);
  }

  close(): void {
    this.socket.destroy();
  }

  #next(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#waiting.add(wake);
    });
  }

  #take(chunk: string): void {
    this.#text += chunk;
    for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n')) {
      const line = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 1);
      this.lines.push(line);
      this.frames.push(JSON.parse(line) as Frame);
    }
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
