import { type ErrnoName, type ExitCode, exitCodeOf, isErrnoName } from './errno.ts';
import { oneLine } from './terminal-text.ts';

/** The part of CortexFS that refused or failed. */
export type Layer =
  | 'name'
  | 'path'
  | 'format'
  | 'frame'
  | 'control'
  | 'credentials'
  | 'mode'
  | 'mount'
  | 'label'
  | 'agent-policy'
  | 'object-policy'
  | 'tool-policy'
  | 'declaration'
  | 'approval'
  | 'window'
  | 'socket'
  | 'session'
  | 'sandbox'
  | 'model'
  | 'tool'
  | 'hook'
  | 'agent'
  | 'terminal'
  | 'receipt'
  | 'manifest'
  | 'store'
  | 'runtime';

/** What an error may carry beside its code and message. */
export interface ErrorContext {
  /** The ABI path it is about, as a user would type it below /ctx: `agent/coder.d/policy`. */
  path?: string | undefined;
  layer?: Layer | undefined;
  /** What to do about it, as one sentence or a command to type. */
  hint?: string | undefined;
  /** Line of a control file, counted from 1. */
  line?: number | undefined;
  cause?: unknown;
}

/**
 * The one error of CortexFS. `code` is a stable errno name, `message` says what is wrong and why, for
 * people: programs decide by `code` alone. See docs/errors.md.
 */
export class CortexError extends Error {
  override readonly name = 'CortexError';
  readonly code: ErrnoName;
  declare readonly path?: string;
  declare readonly layer?: Layer;
  declare readonly hint?: string;
  declare readonly line?: number;

  constructor(code: ErrnoName, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.code = code;
    if (context.path !== undefined) this.path = context.path;
    if (context.layer !== undefined) this.layer = context.layer;
    if (context.hint !== undefined) this.hint = context.hint;
    if (context.line !== undefined) this.line = context.line;
  }

  get exitCode(): ExitCode {
    return exitCodeOf(this.code);
  }
}

/**
 * Turns anything thrown into a CortexError. A CortexError keeps what it has and gains what the context adds;
 * a Node error keeps its errno name; everything else is a fault of ours and becomes EIO.
 */
export function fromNodeError(error: unknown, context: ErrorContext = {}): CortexError {
  if (error instanceof CortexError) return withContext(error, context);
  const code = errnoOf(error);
  const layer = context.layer ?? (code ? undefined : 'runtime');
  const message = code ? systemMessage(error, code, context.path) : `internal error: ${textOf(error)}`;
  return new CortexError(code ?? 'EIO', message, { ...context, layer, cause: error });
}

/** The same error with path, layer, hint and line filled in where it had none. */
export function withContext(error: CortexError, context: ErrorContext): CortexError {
  const { path, layer, hint, line } = { ...context, ...definedFields(error) };
  if (path === error.path && layer === error.layer && hint === error.hint && line === error.line)
    return error;
  return new CortexError(error.code, error.message, { path, layer, hint, line, cause: error });
}

/** `EACCES: tool/fs.write: agent policy has no …`: code, path with its line, message. One line, safe for a terminal. */
export function describeError(error: CortexError): string {
  const where = error.path === undefined ? undefined : `${error.path}${error.line ? `:${error.line}` : ''}`;
  const message = where === undefined && error.line ? `line ${error.line}: ${error.message}` : error.message;
  // Each part by itself: an unfinished escape sequence in a path must not swallow the reason.
  return [error.code, where, message]
    .filter((part) => part !== undefined)
    .map(oneLine)
    .join(': ');
}

/**
 * What a bin prints on stderr: `NAME: CODE: PATH: MESSAGE` and, when there is something to do, a second
 * line `hint: …`. Ends with a newline.
 */
export function errorLines(bin: string, error: CortexError): string {
  const hint = error.hint === undefined ? '' : `hint: ${oneLine(error.hint)}\n`;
  return `${bin}: ${describeError(error)}\n${hint}`;
}

/** The error as JSON, for `--json`: `{"error":{code,message,path?,line?,layer?,hint?,exit_code}}`. */
export interface ErrorJson {
  error: {
    code: ErrnoName;
    message: string;
    path?: string;
    line?: number;
    layer?: Layer;
    hint?: string;
    exit_code: ExitCode;
  };
}

export function errorJson(error: CortexError): ErrorJson {
  return {
    error: { code: error.code, message: error.message, ...definedFields(error), exit_code: error.exitCode },
  };
}

function definedFields({ path, line, layer, hint }: CortexError) {
  return {
    ...(path === undefined ? {} : { path }),
    ...(line === undefined ? {} : { line }),
    ...(layer === undefined ? {} : { layer }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function errnoOf(error: unknown): ErrnoName | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code === 'EOPNOTSUPP') return 'ENOTSUP';
  return isErrnoName(error.code) ? error.code : undefined;
}

/** Node's `ENOENT: no such file or directory, open '/x'` without the code, which is shown anyway. */
function systemMessage(error: unknown, code: ErrnoName, path: string | undefined): string {
  const message = textOf(error).replace(new RegExp(`^${code}:\\s*`), '');
  return path === undefined ? message : message.replace(/, \w+ '.*$/s, '');
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
