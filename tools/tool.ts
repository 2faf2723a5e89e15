/** Where a tool puts its result; the runner turns it into frames (docs/tools.md). */
export interface ToolOutput {
  /** The one result: its texts follow each other without a gap. Of any length, the runner cuts it into frames. */
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
export interface FrameTool<Input = unknown> {
  readonly kind: 'frames';
  readonly check: InputCheck;
  /** The one required string property that may be given as a bare word. */
  readonly bareWord: string | null;
  readonly usage: string;
  /** `input` has passed `check`. */
  run(input: Input, out: ToolOutput): void | Promise<void>;
}

/** A program that takes over standard input and output. Resolves to its exit code. */
export interface TerminalTool {
  readonly kind: 'terminal';
  run(words: readonly string[]): Promise<number>;
}

export type Tool = FrameTool | TerminalTool;
