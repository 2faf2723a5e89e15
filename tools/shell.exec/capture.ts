import type { Readable } from 'node:stream';

/** Bytes kept of each output of a command. */
export const MAX_OUTPUT_BYTES = 256 * 1024;

/** Keeps the beginning of a stream and reads on, so that the writer is not held up. */
export class Capture {
  readonly #stream: Readable;
  readonly #chunks: Buffer[] = [];
  #room = MAX_OUTPUT_BYTES;
  #truncated = false;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#keep(chunk));
  }

  /** What was kept, as text; what comes later is dropped. */
  end(): { text: string; truncated: boolean } {
    this.#stream.destroy();
    return { text: Buffer.concat(this.#chunks).toString('utf8'), truncated: this.#truncated };
  }

  #keep(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.#room);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#room -= kept.length;
    this.#truncated ||= kept.length < chunk.length;
  }
}
