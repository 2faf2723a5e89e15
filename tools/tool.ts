/** Where a tool puts its result; the runner turns it into frames (docs/tools.md). */
export interface ToolOutput {
  /** The next piece of a text too long for one frame; any length, cut into frames by the runner. */
  delta(text: string): void;
  /** One result message, one content part a text. */
  message(...texts: string[]): void;
}

/** A compiled input schema: true when the value matches; else `errors` says where not. */
export interface InputCheck {
  (value: unknown): boolean;
  errors?: readonly InputFault[] | null;
}

export interface InputFault {
  /** JSON pointer into the input, empty for the input itself. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A tool whose result is frames. `run` throws CortexError; the runner turns that into error and done frames. */
export interface FrameTool {
  readonly kind: 'frames';
  readonly check: InputCheck;
  /** The one required string property that may be given as a bare word. */
  readonly bareWord: string | null;
  readonly usage: string;
  run(input: unknown, out: ToolOutput): void | Promise<void>;
}

/** A program that takes over standard input and output. Resolves to its exit code. */
export interface TerminalTool {
  readonly kind: 'terminal';
  run(words: readonly string[]): Promise<number>;
}

export type Tool = FrameTool | TerminalTool;
