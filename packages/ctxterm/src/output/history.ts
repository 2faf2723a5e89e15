import type { Piece } from './coalescer.ts';

/** Output kept for clients that come back, in bytes. */
export const HISTORY_BYTES = 1024 * 1024;

export interface Remembered extends Piece {
  seq: number;
}

/** The newest output, so that a client that was away for a moment can go on where it was. */
export class History {
  #pieces: Remembered[] = [];
  #bytes = 0;
  /** Everything after this number is still here. */
  #completeAfter: number;

  /** `seq` is where the terminal begins: what an earlier start said is not here. */
  constructor(seq: number) {
    this.#completeAfter = seq;
  }

  add(piece: Remembered): void {
    this.#pieces.push(piece);
    this.#bytes += piece.bytes.length;
    while (this.#bytes > HISTORY_BYTES) {
      const oldest = this.#pieces.shift()!;
      this.#bytes -= oldest.bytes.length;
      this.#completeAfter = oldest.seq;
    }
  }

  /** All output after `seq`, or undefined when some of it is gone. */
  after(seq: number): Remembered[] | undefined {
    return seq < this.#completeAfter ? undefined : this.#pieces.filter((piece) => piece.seq > seq);
  }

  get last(): Remembered | undefined {
    return this.#pieces.at(-1);
  }
}
