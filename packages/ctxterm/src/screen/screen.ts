import { SerializeAddon } from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import { picture } from './picture.ts';

export interface ScreenOptions {
  cols: number;
  rows: number;
  /** Lines kept above the screen. */
  scrollback: number;
}

/**
 * What a terminal that has seen all output shows. It only looks: answers to device queries that the headless
 * terminal would give go nowhere, so neither a replay nor a watcher ever writes to the program.
 */
export class Screen {
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  readonly #serializer = new SerializeAddon();
  #title = '';
  #backlog = 0;

  constructor(options: ScreenOptions) {
    this.#terminal = new headless.Terminal({ ...options, allowProposedApi: true, logLevel: 'off' });
    this.#terminal.loadAddon(this.#serializer as never);
    this.#terminal.onTitleChange((title) => {
      this.#title = title;
    });
  }

  /** Bytes that were written and are not yet shown. */
  get backlog(): number {
    return this.#backlog;
  }

  /** `shown` is called when exactly this and everything before it is shown, and nothing after it. */
  write(bytes: Uint8Array, shown: () => void): void {
    this.#backlog += bytes.length;
    this.#terminal.write(bytes, () => {
      this.#backlog -= bytes.length;
      shown();
    });
  }

  /** Takes its turn after the output written before; `shown` as in `write`. */
  resize(cols: number, rows: number, shown: () => void): void {
    this.#terminal.write('', () => {
      this.#terminal.resize(cols, rows);
      shown();
    });
  }

  get size(): { cols: number; rows: number } {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  /** The bytes that redraw the screen as it is now, with up to `scrollback` lines above it. */
  picture(scrollback = 0): Buffer {
    return Buffer.from(picture(this.#terminal, this.#serializer, this.#title, scrollback));
  }
}
