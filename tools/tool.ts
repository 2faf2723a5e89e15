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

/** What tools with a checked input have in common. */
interface CheckedTool {
  readonly check: InputCheck;
  /** The one required string property that may be given as a bare word. */
  readonly bareWord: string | null;
  readonly usage: string;
}

/** A tool whose result is frames. `run` throws CortexError; the runner turns that into error and done frames. */
export interface FrameTool<Input = unknown> extends CheckedTool {
  readonly kind: 'frames';
  /** `input` has passed `check`. */
  run(input: Input, out: ToolOutput): void | Promise<void>;
}

/** A tool that another program carries out, which writes the frames itself on the standard output it inherits. */
export interface ProgramTool<Input = unknown> extends CheckedTool {
  readonly kind: 'program';
  /** Arguments that are not one JSON object, as input. */
  fromWords(words: readonly string[]): unknown;
  /** `input` has passed `check`. */
  command(input: Input): Command;
}

/** A terminal program that takes over standard input, output and error; its arguments are passed on as they are. */
export interface TerminalTool {
  readonly kind: 'terminal';
  command(words: readonly string[]): Command;
}

export interface Command {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
}

export type Tool = FrameTool | ProgramTool | TerminalTool;
