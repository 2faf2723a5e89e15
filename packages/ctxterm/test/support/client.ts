import { connect, type Socket } from 'node:net';
import { parseTerminalFrame, type TerminalFrame } from '@cortexfs/abi/frames/terminal';
import { FrameDecoder } from '@cortexfs/abi/jsonl';
import type { Test } from 'tap';

type Frame<K extends TerminalFrame['type']> = Extract<TerminalFrame, { type: K }>;

/** A client of the terminal protocol that remembers everything. */
export class TestClient {
  readonly frames: TerminalFrame[] = [];
  readonly socket: Socket;
  closed = false;
  #changed: () => void = () => {};

  constructor(socket: Socket) {
    const decoder = new FrameDecoder();
    this.socket = socket;
    socket.on('data', (chunk) => {
      for (const decoded of decoder.push(chunk)) {
        if (!decoded.ok) throw decoded.error;
        this.frames.push(parseTerminalFrame(decoded.value));
      }
      this.#changed();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.#changed();
    });
  }

  send(frame: object): void {
    this.socket.write(`${JSON.stringify(frame)}\n`);
  }

  type(text: string): void {
    this.send({ op: 'input', data_b64: Buffer.from(text).toString('base64') });
  }

  /** All output so far. */
  get output(): string {
    return this.bytes('output').toString();
  }

  /** All screens so far. */
  get screens(): string {
    return this.bytes('screen').toString();
  }

  /** What the client's own terminal would have been fed. */
  get shown(): string {
    return this.bytes('screen', 'output').toString();
  }

  bytes(...types: ('screen' | 'output')[]): Buffer {
    const wanted = new Set<string>(types);
    return Buffer.concat(
      this.frames.flatMap((frame) =>
        'data_b64' in frame && wanted.has(frame.type) ? [Buffer.from(frame.data_b64, 'base64')] : [],
      ),
    );
  }

  all<K extends TerminalFrame['type']>(type: K): Frame<K>[] {
    return this.frames.filter((frame): frame is Frame<K> => frame.type === type);
  }

  async frame<K extends TerminalFrame['type']>(type: K): Promise<Frame<K>> {
    await this.until(() => this.all(type).length > 0);
    return this.all(type)[0]!;
  }

  async text(part: string | RegExp): Promise<void> {
    await this.until(() => (typeof part === 'string' ? this.shown.includes(part) : part.test(this.shown)));
  }

  /** Waits for a condition on what arrived; fails after 60 s, for machines with much else to do. */
  async until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (!condition()) {
      if (Date.now() > deadline || (this.closed && !condition()))
        throw new Error(`did not happen; frames: ${JSON.stringify(this.frames.slice(-5)).slice(0, 2000)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

export function connectTo(t: Test, path: string, opening?: object): Promise<TestClient> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      const client = new TestClient(socket);
      t.teardown(() => void socket.destroy());
      if (opening) client.send(opening);
      resolve(client);
    });
  });
}
