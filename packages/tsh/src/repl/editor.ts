import { createInterface, type Interface } from 'node:readline';

export interface EditorOptions {
  prompt: string;
  /** Earlier lines, oldest first. */
  history: readonly string[];
  complete(line: string): [completions: string[], replaced: string];
}

/** null after Ctrl-C, undefined at the end (Ctrl-D on an empty line, or the terminal is gone). */
export type Entered = string | null | undefined;

/**
 * The line editor on the process's own terminal. Between two calls of `next` the terminal is in its ordinary mode and belongs
 * to the command that runs; lines that were pasted together are kept and given one by one.
 */
export class LineEditor {
  readonly #reader: Interface;
  readonly #entered: Entered[] = [];
  #waiting: ((entered: Entered) => void) | undefined;
  #ended = false;

  constructor({ prompt, history, complete }: EditorOptions) {
    this.#reader = createInterface({
      input: process.stdin,
      output: process.stdout,
      prompt,
      history: [...history].reverse(),
      historySize: 1000,
      removeHistoryDuplicates: true,
      completer: complete,
    });
    this.#reader.on('line', (line) => this.#deliver(line));
    this.#reader.on('SIGINT', () => this.#drop());
    this.#reader.on('close', () => {
      this.#ended = true;
      this.#deliver(undefined);
    });
    this.#release();
  }

  next(): Promise<Entered> {
    if (this.#entered.length > 0) return Promise.resolve(this.#entered.shift());
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      process.stdin.setRawMode(true);
      this.#reader.resume();
      this.#reader.prompt(true);
    });
  }

  close(): void {
    this.#reader.close();
    process.stdin.setRawMode(false);
  }

  #deliver(entered: Entered): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) {
      this.#entered.push(entered);
      return;
    }
    this.#release();
    waiting(entered);
  }

  #release(): void {
    if (this.#ended) return;
    this.#reader.pause();
    process.stdin.setRawMode(false);
  }

  /** Ctrl-C: what was typed so far is gone. */
  #drop(): void {
    this.#reader.write(null, { ctrl: true, name: 'e' });
    this.#reader.write(null, { ctrl: true, name: 'u' });
    process.stdout.write('^C\n');
    this.#deliver(null);
  }
}
