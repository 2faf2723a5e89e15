import { CSI, GROUND, OSC, OSC_ESCAPE, STRING, STRING_ESCAPE, step } from './sequence.ts';

/**
 * Finds where a stream of terminal output may be cut: between two characters or control sequences,
 * never inside one. See docs/terminal.md.
 */
export class SequenceBoundary {
  #state = GROUND;

  /** How many bytes of `chunk` come before the last cut; the rest belongs to an unfinished sequence. */
  push(chunk: Uint8Array): number {
    let state = this.#state;
    let cut = 0;
    for (let at = 0; at < chunk.length; ) {
      if (state === GROUND) {
        at = plainUntil(chunk, at);
        cut = at;
        if (at === chunk.length) break;
      }
      state = step(state, chunk[at++]!);
      if (state === GROUND) cut = at;
    }
    this.#state = state;
    return cut;
  }

  /** Where the stream stands now: see terminal/sequence. */
  get state(): number {
    return this.#state;
  }

  /** Nothing is unfinished. */
  get whole(): boolean {
    return this.#state === GROUND;
  }

  /**
   * What a terminal that has not seen the beginning of the unfinished sequence must be fed first, so that
   * it swallows the rest instead of showing it: the introducer of a sequence of the same kind that means nothing.
   */
  get harmlessIntroducer(): string {
    const half = this.#state === OSC_ESCAPE || this.#state === STRING_ESCAPE ? '\x1b' : '';
    if (this.#state >= STRING) return `\x1b_${half}`;
    if (this.#state >= OSC) return `\x1b]99999;${half}`;
    return this.#state === CSI ? '\x1b[0<' : '';
  }
}

function plainUntil(chunk: Uint8Array, from: number): number {
  let at = from;
  for (; at < chunk.length; at++) {
    const byte = chunk[at]!;
    if (byte >= 0x80 || byte === 0x1b) break;
  }
  return at;
}
