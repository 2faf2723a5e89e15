import { type FilterPurpose, forbidden } from './forbidden.ts';
import { GROUND, OSC, OSC_ESCAPE, STRING_ESCAPE, step, UTF8_C2 } from './sequence.ts';

/** A control sequence longer than this, in bytes, is dropped whole. */
const LONGEST_SEQUENCE = 4096;

/**
 * Takes out of a terminal's output what must not reach a human's terminal. `replay` drops what would make
 * that terminal answer (device queries); `watch` drops also clipboard, titles, window operations, keyboard and
 * mouse protocols, and every other string sequence. Text, colours and cursor movement pass. Chunks may be cut
 * anywhere; at most 4 KiB are held back. See docs/terminal.md.
 */
export class TerminalFilter {
  readonly #purpose: FilterPurpose;
  #state = GROUND;
  #held: number[] = [];
  #tooLong = false;

  constructor(purpose: FilterPurpose) {
    this.#purpose = purpose;
  }

  push(chunk: Uint8Array): Buffer {
    const out: number[] = [];
    for (const byte of chunk) this.#take(byte, out);
    return Buffer.from(out);
  }

  #take(byte: number, out: number[]): void {
    const before = this.#state;
    const after = step(before, byte);
    this.#state = after;
    if (cutsShort(before, byte)) this.#cut(before, out);
    if (after === GROUND && this.#held.length === 0) {
      if (isPassedText(byte)) out.push(byte);
      return;
    }
    if (this.#held.length < LONGEST_SEQUENCE) this.#held.push(byte);
    else this.#tooLong = true;
    if (after === GROUND) this.#finish(out);
  }

  /** What was unfinished is over: a string counts as ended by the ESC that is already held, the rest was never whole. */
  #cut(before: number, out: number[]): void {
    if (before === OSC_ESCAPE || before === STRING_ESCAPE) {
      this.#held.push(0x5c);
      this.#finish(out);
      this.#held.push(0x1b);
    } else {
      this.#forget();
    }
  }

  #finish(out: number[]): void {
    const sequence = Buffer.from(this.#held);
    const passes = !this.#tooLong && !forbidden(sequence, this.#purpose);
    if (passes) for (const byte of inSevenBits(sequence)) out.push(byte);
    this.#forget();
  }

  #forget(): void {
    this.#held = [];
    this.#tooLong = false;
  }
}

/** Plain text passes: all but ENQ, which asks for an answer, and bytes that no UTF-8 text has here. */
function isPassedText(byte: number): boolean {
  return byte < 0x80 && byte !== 0x05;
}

/** Whether `byte` belongs to something new while something else was unfinished. */
function cutsShort(before: number, byte: number): boolean {
  if (before === GROUND) return false;
  if (before <= UTF8_C2) return byte < 0x80 || byte > 0xbf;
  if (before === OSC_ESCAPE || before === STRING_ESCAPE) return byte !== 0x5c && byte !== 0x1b;
  if (before >= OSC) return false;
  return byte === 0x1b || byte >= 0x80;
}

/** A C1 control is written as ESC and a letter, which every terminal understands alike. */
function inSevenBits(sequence: Buffer): Buffer {
  const second = sequence[1] ?? 0xff;
  if (sequence[0] !== 0xc2 || second > 0x9f) return sequence;
  return Buffer.concat([Buffer.of(0x1b, second - 0x40), sequence.subarray(2)]);
}
