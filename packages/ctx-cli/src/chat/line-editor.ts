import { createInterface, type Interface } from 'node:readline';
import { PASTE_OFF, PASTE_ON, pasteFilter } from './paste.ts';

/** Where the person sits. */
export interface Seat {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/**
 * Lines that a person types: editing, history, UTF-8 and multi-line paste on a terminal, plain lines without one.
 * The terminal is in raw mode only while a line is awaited; in between Ctrl-C is an ordinary SIGINT. What was typed
 * ahead is kept.
 */
export class LineEditor {
  readonly #prompt: string;
  readonly #seat: Seat;
  readonly #terminal: boolean;
  /** One for the whole chat: another would drop what came in one piece with the end of a line. */
  readonly #editor: Interface;
  readonly #lines: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  /** Whole lines that a terminal gave while none was awaited. */
  readonly #ahead: string[] = [];
  /** Something else came after those: it waits in the editor, and what comes then waits behind it. */
  #partial = false;
  #meanwhile: ((line: string) => boolean) | undefined;
  #asking = false;
  #ended = false;

  constructor(
    prompt: string,
    history: readonly string[],
    seat: Seat = { input: process.stdin, output: process.stdout },
  ) {
    this.#prompt = prompt;
    this.#seat = seat;
    this.#terminal = Boolean(seat.input.isTTY && seat.output.isTTY);
    this.#editor = this.#terminal
      ? terminalEditor(history, seat, (typed) => this.#take(typed))
      : createInterface({ input: seat.input });
    this.#editor.on('line', (line) => {
      this.#lines.push(line);
      this.#serve();
    });
    this.#editor.on('SIGINT', () => this.#interrupt());
    this.#editor.on('close', () => this.#end());
    this.#editor.on('history', (lines: string[]) => {
      if (this.#asking) lines.shift();
    });
    if (this.#terminal) this.#seat.output.write(PASTE_ON);
  }

  /** The next line; undefined when the person leaves. */
  next(): Promise<string | undefined> {
    return this.#read(this.#prompt);
  }

  /**
   * The answer to a question; the empty text when the person leaves instead. It is not kept in the history. A line that
   * was typed before the question was seen is no answer to it: on a terminal it stays the next line of the chat.
   */
  async ask(question: string): Promise<string> {
    const lines = question.split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) this.#seat.output.write(`${lines.join('\n')}\n`);
    const early = this.#terminal ? [...this.#lines.splice(0), ...this.#ahead.splice(0)] : [];
    this.#asking = true;
    try {
      return (await this.#read(last)) ?? '';
    } finally {
      this.#asking = false;
      this.#lines.unshift(...early);
    }
  }

  /**
   * What is typed while no line is awaited is offered as it comes: a line that is taken is no next line of the chat. On a
   * terminal only. The answer ends it.
   */
  meanwhile(take: (line: string) => boolean): () => void {
    this.#meanwhile = take;
    return () => {
      this.#meanwhile = undefined;
    };
  }

  close(): void {
    this.#editor.close();
    if (!this.#terminal) return;
    this.#seat.output.write(PASTE_OFF);
    this.#seat.input.unpipe();
    this.#seat.input.pause();
  }

  #read(prompt: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      if (this.#terminal && this.#lines.length === 0 && !this.#ended) {
        this.#seat.input.setRawMode(true);
        this.#editor.setPrompt(prompt);
        this.#editor.prompt();
        // As if it were typed now: shown after the prompt, and in the history.
        const line = this.#ahead.shift();
        if (line === undefined) this.#partial = false;
        else this.#editor.write(`${line}\n`);
      }
      this.#serve();
    });
  }

  #take(typed: string): boolean {
    if (this.#waiting !== undefined || this.#partial) return false;
    this.#partial = !/[\r\n]$/.test(typed);
    if (this.#partial) return false;
    for (const line of typed.slice(0, -1).split(/[\r\n]/))
      if (!this.#meanwhile?.(line)) this.#ahead.push(line);
    return true;
  }

  /** Ctrl-C drops what was typed; with nothing typed it leaves. */
  #interrupt(): void {
    if (this.#editor.line === '') {
      this.#end();
      return;
    }
    this.#editor.write(null, { ctrl: true, name: 'e' });
    this.#seat.output.write('^C\n');
    // Empties the line and draws it anew, which is the prompt again.
    this.#editor.write(null, { ctrl: true, name: 'u' });
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#lines.push(...this.#ahead.splice(0));
    if (this.#terminal && this.#waiting) this.#seat.output.write('\n');
    this.#serve();
  }

  /** Gives whoever waits the oldest line, or the end after the last. */
  #serve(): void {
    if (this.#waiting === undefined || (this.#lines.length === 0 && !this.#ended)) return;
    const resolve = this.#waiting;
    this.#waiting = undefined;
    if (this.#terminal) {
      this.#editor.pause();
      this.#seat.input.setRawMode(false);
    }
    resolve(this.#lines.shift());
  }
}

function terminalEditor(
  history: readonly string[],
  { input, output }: Seat,
  take: (typed: string) => boolean,
): Interface {
  return createInterface({
    input: input.setEncoding('utf8').pipe(pasteFilter(take)),
    output,
    terminal: true,
    history: [...history],
    historySize: 1000,
    removeHistoryDuplicates: true,
  });
}
