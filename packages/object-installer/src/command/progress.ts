const MEGABYTE = 1024 * 1024;
const EVERY_MS = 100;
/** Shorter work needs no progress. */
const AFTER_MS = 400;

/** Progress on one line of a terminal, of work that goes through a known number of bytes. */
export class Progress {
  readonly #show: ((text: string) => void) | undefined;
  readonly #now: () => number;
  #next: number;
  #shown = false;

  /** Nothing is shown where standard error is no terminal. The clock counts milliseconds and never goes back. */
  constructor(
    stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
    clock = () => performance.now(),
  ) {
    this.#show = stream.isTTY ? (text) => void stream.write(text) : undefined;
    this.#now = clock;
    this.#next = clock() + AFTER_MS;
  }

  at(what: string, bytes: number, total: number): void {
    const now = this.#now();
    if (this.#show === undefined || now < this.#next) return;
    this.#next = now + EVERY_MS;
    this.#shown = true;
    const percent = total === 0 ? 100 : Math.floor((bytes / total) * 100);
    this.#show(`\r\x1b[K${what} ${percent}% (${megabytes(bytes)} of ${megabytes(total)} MiB)`);
  }

  /** Takes the line away again. */
  end(): void {
    if (this.#shown) this.#show?.('\r\x1b[K');
    this.#shown = false;
  }
}

const megabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE);
