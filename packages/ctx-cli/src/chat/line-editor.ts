import { createInterface, type Interface } from 'node:readline';
import { PASTE_OFF, PASTE_ON, pasteFilter } from './paste.ts';

/**
 * Lines that a person types: editing, history, UTF-8 and multi-line paste on a terminal, plain lines without one.
 * The terminal is in raw mode only while a line is awaited; in between Ctrl-C is an ordinary SIGINT.
 */
export class LineEditor {
  readonly #prompt: string;
  readonly #history: string[];
  readonly #terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  readonly #input = this.#terminal ? process.stdin.setEncoding('utf8').pipe(pasteFilter()) : process.stdin;
  readonly #lines: AsyncIterator<string> | undefined;
  #ended = false;

  constructor(prompt: string, history: readonly string[]) {
    this.#prompt = prompt;
    this.#history = [...history];
    if (this.#terminal) process.stdout.write(PASTE_ON);
    else this.#lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  }

  /** The next line; undefined when the person leaves. */
  async next(): Promise<string | undefined> {
    const line = this.#ended ? undefined : await this.#read(this.#prompt);
    this.#ended = line === undefined;
    if (line !== undefined && line.trim() !== '' && line !== this.#history[0]) this.#history.unshift(line);
    return line;
  }

  /** The answer to a question; the empty text when the person leaves instead. It is not kept in the history. */
  async ask(question: string): Promise<string> {
    const lines = question.split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
    return (await this.#read(last)) ?? '';
  }

  close(): void {
    if (!this.#terminal) return;
    process.stdout.write(PASTE_OFF);
    process.stdin.pause();
  }

  async #read(prompt: string): Promise<string | undefined> {
    if (!this.#lines) return this.#readTerminal(prompt);
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  #readTerminal(prompt: string): Promise<string | undefined> {
    const editor = createInterface({
      input: this.#input,
      output: process.stdout,
      terminal: true,
      prompt,
      history: [...this.#history],
      historySize: 1000,
    });
    process.stdin.setRawMode(true);
    process.stdin.resume();
    editor.prompt();
    return new Promise((resolve) => {
      const finish = (line: string | undefined) => {
        release(editor);
        if (line === undefined) process.stdout.write('\n');
        resolve(line);
      };
      editor.once('line', finish);
      editor.once('SIGINT', () => finish(undefined));
      editor.once('close', () => finish(undefined));
    });
  }
}

function release(editor: Interface): void {
  editor.removeAllListeners('close');
  editor.close();
  process.stdin.setRawMode(false);
}
