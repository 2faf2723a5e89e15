import { createInterface, type Interface } from 'node:readline';
import { PASTE_OFF, PASTE_ON, pasteFilter } from './paste.ts';

/**
 * Lines that a person types: editing, history, UTF-8 and multi-line paste on a terminal, plain lines without one.
 * The terminal is in raw mode only while a line is awaited; in between Ctrl-C is an ordinary SIGINT. What was typed
 * ahead is kept.
 */
export class LineEditor {
  readonly #prompt: string;
  readonly #terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  /** One for the whole chat: another would drop what came in one piece with the end of a line. */
  readonly #editor: Interface;
  readonly #lines: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #asking = false;
  #ended = false;

  constructor(prompt: string, history: readonly string[]) {
    this.#prompt = prompt;
    this.#editor = this.#terminal ? terminalEditor(history) : createInterface({ input: process.stdin });
    this.#editor.on('line', (line) => {
      this.#lines.push(line);
      this.#serve();
    });
    this.#editor.on('SIGINT', () => this.#end());
    this.#editor.on('close', () => this.#end());
    this.#editor.on('history', (lines: string[]) => {
      if (this.#asking) lines.shift();
    });
    if (this.#terminal) process.stdout.write(PASTE_ON);
  }

  /** The next line; undefined when the person leaves. */
  next(): Promise<string | undefined> {
    return this.#read(this.#prompt);
  }

  /** The answer to a question; the empty text when the person leaves instead. It is not kept in the history. */
  async ask(question: string): Promise<string> {
    const lines = question.split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
    this.#asking = true;
    try {
      return (await this.#read(last)) ?? '';
    } finally {
      this.#asking = false;
    }
  }

  close(): void {
    this.#editor.close();
    if (!this.#terminal) return;
    process.stdout.write(PASTE_OFF);
    process.stdin.unpipe();
    process.stdin.pause();
  }

  #read(prompt: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      if (this.#terminal && this.#lines.length === 0 && !this.#ended) {
        process.stdin.setRawMode(true);
        this.#editor.setPrompt(prompt);
        this.#editor.prompt();
      }
      this.#serve();
    });
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#terminal && this.#waiting) process.stdout.write('\n');
    this.#serve();
  }

  /** Gives whoever waits the oldest line, or the end after the last. */
  #serve(): void {
    if (this.#waiting === undefined || (this.#lines.length === 0 && !this.#ended)) return;
    const resolve = this.#waiting;
    this.#waiting = undefined;
    if (this.#terminal) {
      this.#editor.pause();
      process.stdin.setRawMode(false);
    }
    resolve(this.#lines.shift());
  }
}

function terminalEditor(history: readonly string[]): Interface {
  return createInterface({
    input: process.stdin.setEncoding('utf8').pipe(pasteFilter()),
    output: process.stdout,
    terminal: true,
    history: [...history],
    historySize: 1000,
    removeHistoryDuplicates: true,
  });
}
