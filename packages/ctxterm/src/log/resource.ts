import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TERMINAL_FILES } from '@cortexfs/abi/paths/session';
import {
  formatTerminalMeta,
  formatTerminalState,
  parseTerminalMeta,
  type TerminalMeta,
} from '@cortexfs/abi/session/terminal';
import { writeDurable } from '@cortexfs/linux/durable-write';

/**
 * The small files that describe a terminal, in the session's record directory. They outlive the process; writing them
 * is best effort, because a full disk must not end the terminal.
 */
export class Resource {
  readonly #directory: string | undefined;
  readonly #failed: (error: unknown) => void;
  #meta: TerminalMeta;
  #work: Promise<void> = Promise.resolve();
  #scheduled = false;

  constructor(directory: string | undefined, meta: TerminalMeta, failed: (error: unknown) => void) {
    this.#directory = directory;
    this.#meta = meta;
    this.#failed = failed;
  }

  get meta(): TerminalMeta {
    return this.#meta;
  }

  /** Changes and, soon, writes it; several changes in a row are written once. */
  update(change: Partial<TerminalMeta>): void {
    this.#meta = { ...this.#meta, ...change };
    if (this.#directory === undefined || this.#scheduled) return;
    this.#scheduled = true;
    this.#work = this.#work.then(() => this.#write(this.#directory!));
  }

  /** Resolves when the last change is written. */
  settled(): Promise<void> {
    return this.#work;
  }

  async #write(directory: string): Promise<void> {
    this.#scheduled = false;
    const { state, owner, cwd } = this.#meta;
    const files = {
      [TERMINAL_FILES.cwd]: `${cwd}\n`,
      [TERMINAL_FILES.owner]: `${owner}\n`,
      [TERMINAL_FILES.meta]: formatTerminalMeta(this.#meta),
      [TERMINAL_FILES.state]: formatTerminalState(state),
      [TERMINAL_FILES.status]: formatTerminalState(state),
    };
    try {
      for (const [name, text] of Object.entries(files))
        await writeDurable(join(directory, name), text, { mode: 0o600 });
    } catch (error) {
      this.#failed(error);
    }
  }
}

/** What an earlier start, or whoever created the terminal, wrote; undefined when there is nothing usable. */
export function earlierMeta(directory: string | undefined): TerminalMeta | undefined {
  if (directory === undefined) return undefined;
  try {
    return parseTerminalMeta(readFileSync(join(directory, TERMINAL_FILES.meta), 'utf8'));
  } catch {
    return undefined;
  }
}
