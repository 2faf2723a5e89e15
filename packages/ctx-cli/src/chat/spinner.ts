/** A line that shows that a run goes on: a turning mark, elapsed seconds, what happens now. Drawn on a terminal only. */
export class Spinner {
  readonly #out: NodeJS.WriteStream;
  readonly #begin = performance.now();
  #doing = 'thinking';
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  start(): void {
    if (!this.#out.isTTY) return;
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), 120);
  }

  /** Names what happens now, as "step 2: fs.list". */
  show(doing: string): void {
    this.#doing = doing;
  }

  /** Takes the line away again. */
  stop(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#out.write('\r\x1b[K');
  }

  /** Prints something while the run goes on. */
  aside(text: string): void {
    const spinning = this.#timer !== undefined;
    this.stop();
    this.#out.write(text);
    if (spinning) this.start();
  }

  #draw(): void {
    const mark = marks[this.#turn++ % marks.length];
    const seconds = ((performance.now() - this.#begin) / 1000).toFixed(0);
    const line = `${mark} ${seconds} s  ${this.#doing}`;
    this.#out.write(`\r\x1b[K${line.slice(0, Math.max(1, this.#out.columns - 1))}`);
  }
}

const marks = ['|', '/', '-', '\\'];
