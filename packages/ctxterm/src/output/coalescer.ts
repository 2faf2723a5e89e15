import { SequenceBoundary } from '@cortexfs/abi/terminal/boundary';
import { GROUND } from '@cortexfs/abi/terminal/sequence';

/** Enough to pass on without waiting for more. A piece is smaller than twice this. */
const JOINED_BYTES = 64 * 1024;
/** An unfinished control sequence is waited for up to this size, then passed on in pieces. */
const LONGEST_WAIT = 4 * 1024;
const PAUSE_MS = 8;

/** A piece of the program's output. */
export interface Piece {
  bytes: Buffer;
  /**
   * What a terminal must be fed before the pieces after this one when it has not seen this one: not empty
   * only when this piece ends inside a very long control sequence.
   */
  introducer: string;
  /** Where this piece ends: GROUND, or inside that very long sequence. See terminal/sequence of the ABI. */
  state: number;
}

/**
 * Joins the small reads of a PTY into few, large pieces of output. What comes after a silence is passed on at
 * once, what follows within 8 ms is joined, and no piece ends inside a character or a control sequence unless that
 * sequence is longer than 4 KiB.
 */
export class Coalescer {
  readonly #emit: (piece: Piece) => void;
  readonly #boundary = new SequenceBoundary();
  #held: Buffer[] = [];
  #size = 0;
  /** How many of the held bytes may go: up to the last boundary. */
  #ready = 0;
  /** A sequence that was too long to be waited for is being passed on as it comes. */
  #inPieces = false;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  #lastEmit = Number.NEGATIVE_INFINITY;

  constructor(emit: (piece: Piece) => void) {
    this.#emit = emit;
  }

  push(chunk: Buffer): void {
    const cut = this.#boundary.push(chunk);
    if (cut > 0) {
      this.#ready = this.#size + cut;
      this.#inPieces = false;
    }
    this.#held.push(chunk);
    this.#size += chunk.length;
    this.#inPieces ||= this.#size - this.#ready > LONGEST_WAIT;
    if (this.#inPieces) this.#ready = this.#size;
    if (this.#ready >= JOINED_BYTES) this.flush();
    else if (this.#ready > 0) this.#schedule();
  }

  /** Passes on all that ends at a boundary. */
  flush(): void {
    this.#cancel();
    if (this.#ready > 0) this.#release(this.#ready);
  }

  /** Passes on everything: nothing follows that could finish it. */
  end(): void {
    this.#cancel();
    if (this.#size > 0) this.#release(this.#size);
  }

  #release(length: number): void {
    const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    const rest = bytes.subarray(length);
    this.#held = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    this.#ready = 0;
    this.#lastEmit = performance.now();
    const inside = rest.length === 0 && !this.#boundary.whole;
    this.#emit({
      bytes: bytes.subarray(0, length),
      introducer: inside ? this.#boundary.harmlessIntroducer : '',
      state: inside ? this.#boundary.state : GROUND,
    });
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#lastEmit + PAUSE_MS - performance.now();
    const fire = () => this.flush();
    this.#timer = wait > 0 ? setTimeout(fire, wait) : setImmediate(fire);
  }

  #cancel(): void {
    clearTimeout(this.#timer as NodeJS.Timeout | undefined);
    clearImmediate(this.#timer as NodeJS.Immediate | undefined);
    this.#timer = undefined;
  }
}
