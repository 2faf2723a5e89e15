/** The two kinds of text that stream while a model answers. */
export type DeltaType = 'delta' | 'reasoning_delta';

/** Pause between two deltas of a run (docs/run.md, "Deltas"). */
export const DELTA_PAUSE_MS = 50;

/** Longest text of one delta in UTF-16 units: even fully escaped it fits a frame of 1 MiB. */
export const MAX_DELTA_UNITS = 128 * 1024;

/**
 * Joins streamed text: the first piece goes out at once, later ones at most every 50 ms. What is written is what is
 * stored and sent, so that a fast model does not make a line of every token.
 */
export class DeltaCoalescer {
  readonly #write: (type: DeltaType, text: string) => void;
  #type: DeltaType = 'delta';
  #held = '';
  #pause: NodeJS.Timeout | undefined;

  constructor(write: (type: DeltaType, text: string) => void) {
    this.#write = write;
  }

  push(type: DeltaType, text: string): void {
    if (type !== this.#type) this.flush();
    this.#type = type;
    this.#held += text;
    if (this.#pause === undefined) this.#release();
    while (this.#held.length > MAX_DELTA_UNITS) this.#cut(MAX_DELTA_UNITS);
  }

  /** Writes what is held; called before any other event, so that the order stays. */
  flush(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    while (this.#held !== '') this.#cut(MAX_DELTA_UNITS);
  }

  /** Forgets what is held: nothing is recorded after a cancellation. */
  discard(): void {
    this.#held = '';
    this.flush();
  }

  #release(): void {
    this.#pause = undefined;
    if (this.#held === '') return;
    this.#cut(MAX_DELTA_UNITS);
    this.#pause = setTimeout(() => this.#release(), DELTA_PAUSE_MS);
  }

  #cut(units: number): void {
    const length = wholeLength(this.#held, units);
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#write(this.#type, text);
  }
}

/** At most `units`, without parting a surrogate pair. */
function wholeLength(text: string, units: number): number {
  if (text.length <= units) return text.length;
  const last = text.charCodeAt(units - 1);
  return last >= 0xd800 && last <= 0xdbff ? units - 1 : units;
}
