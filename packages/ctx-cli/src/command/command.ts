import type { ParseArgsConfig } from 'node:util';

/** Options as node:util's parseArgs takes them. Every command also has the common options. */
export type Options = NonNullable<ParseArgsConfig['options']>;

/** One `ctx` command as data: enough for help, completion and parsing without loading its code. */
export interface CommandSpec {
  /** The words that select it, as "agent start". */
  readonly words: string;
  /** What follows the words in the usage line. */
  readonly usage: string;
  /** One line for the overview. */
  readonly summary: string;
  readonly options?: Options;
  /** Help lines of the options, by option name. */
  readonly optionHelp?: Readonly<Record<string, string>>;
  /** How many positional arguments it takes: [least, most]. */
  readonly operands: readonly [number, number];
  /** Everything after the words goes to the command unread, for commands that hand over to another bin. */
  readonly raw?: boolean;
  readonly load: () => Promise<CommandModule>;
}

export interface CommandModule {
  /** Does the work and resolves with the exit code. Throws CortexError for everything that a user can mend. */
  run(invocation: Invocation): Promise<number>;
}

/** A parsed command line. */
export interface Invocation {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly operands: readonly string[];
  readonly json: boolean;
  /** `--root DIR`, when given. */
  readonly root: string | undefined;
}

/** Options that every command takes. */
export const commonOptions = {
  root: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

/** A string option's value, or undefined. */
export function text(invocation: Invocation, option: string): string | undefined {
  const value = invocation.values[option];
  return typeof value === 'string' ? value : undefined;
}

/** Whether a boolean option was given. */
export function flag(invocation: Invocation, option: string): boolean {
  return invocation.values[option] === true;
}
