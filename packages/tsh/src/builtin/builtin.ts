import type { Shell } from '../shell.ts';

/** What a builtin works with. */
export interface Context {
  shell: Shell;
  /** Listings as JSON. */
  json: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Lines entered so far, oldest first; empty when no lines are read. */
  history: HistoryLines;
  /** Runs a tool with the given words. */
  runTool(words: readonly string[]): Promise<number>;
}

export interface HistoryLines {
  readonly lines: readonly string[];
  clear(): void;
}

export interface Builtin {
  /** What follows the name, for `help`. */
  usage: string;
  summary: string;
  /** Returns the exit code. Throws Misuse or CortexError. */
  run(context: Context, args: readonly string[]): number | Promise<number>;
}

/** Wrong arguments of a builtin: exit code 2 and its usage. */
export class Misuse extends Error {}

/** `exit`: ends the shell, without a code with that of the last command. */
export class Leave extends Error {
  readonly code: number | undefined;

  constructor(code: number | undefined) {
    super('exit');
    this.code = code;
  }
}

export const NO_HISTORY: HistoryLines = { lines: [], clear: () => {} };
