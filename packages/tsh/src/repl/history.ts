import { appendFileSync, chmodSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { HistoryLines } from '../builtin/builtin.ts';
import { readSmallFile } from '../place/small-file.ts';

const MOST_LINES = 1000;

/** The lines entered so far, kept in `.tsh_history` in the (agent's) home. A history that cannot be kept is no error. */
export class History implements HistoryLines {
  readonly #file: string;
  #lines: string[];
  #fresh = 0;

  constructor(env: NodeJS.ProcessEnv) {
    this.#file = join(env['HOME'] || homedir(), '.tsh_history');
    this.#lines = loaded(this.#file);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Blank lines and repetitions of the last line are left out. */
  add(line: string): void {
    if (line.trim() === '' || line === this.#lines.at(-1)) return;
    this.#lines = [...this.#lines, line].slice(-MOST_LINES);
    this.#fresh++;
    quietly(() => appendFileSync(this.#file, `${line}\n`, { mode: 0o600 }));
  }

  clear(): void {
    this.#lines = [];
    this.#rewrite();
  }

  /** Cuts the file down to the newest lines when it has grown beyond them. */
  close(): void {
    if (this.#fresh > 0 && this.#lines.length === MOST_LINES) this.#rewrite();
  }

  #rewrite(): void {
    const text = this.#lines.map((line) => `${line}\n`).join('');
    void import('@cortexfs/linux/durable-write').then(({ writeDurableSync }) =>
      quietly(() => writeDurableSync(this.#file, text, { mode: 0o600 })),
    );
  }
}

function loaded(file: string): string[] {
  try {
    chmodSync(file, 0o600);
    const text = readSmallFile(file, file) ?? '';
    return text
      .split('\n')
      .filter((line) => line !== '')
      .slice(-MOST_LINES);
  } catch {
    return [];
  }
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // No home, a full disk: the lines of this session are still in memory.
  }
}
