import { GROUND, OSC, step } from '@cortexfs/abi/terminal/sequence';
import type { Piece } from '../output/coalescer.ts';

/** CAN ends a sequence without an effect. */
const CANCEL = Buffer.of(0x18);
const NOTHING = Buffer.alloc(0);

/**
 * The part of the output that the headless terminal is shown. A very long string sequence draws nothing, and would cost
 * it much memory and time: it is broken off, and the rest left out.
 */
export class Drawn {
  #state = GROUND;

  of({ bytes, state }: Piece): Buffer {
    const rest = this.#state === GROUND ? bytes : this.#afterString(bytes);
    if (state < OSC || this.#state !== GROUND) return rest;
    this.#state = state;
    return Buffer.concat([rest, CANCEL]);
  }

  /** What follows the end of the string that is being left out. */
  #afterString(bytes: Buffer): Buffer {
    for (let at = 0; at < bytes.length; ) {
      this.#state = step(this.#state, bytes[at++]!);
      if (this.#state === GROUND) return bytes.subarray(at);
    }
    return NOTHING;
  }
}
