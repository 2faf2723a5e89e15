import { CortexError, withContext } from '../errors.ts';

/** A control file holds at most 64 KiB. */
export const MAX_CONTROL_BYTES = 64 * 1024;

/**
 * Text of a control file to a value and back (docs/controls.md). `format` gives the canonical text, which
 * `parse` always reads; `parse` throws CortexError and nothing else. Its errors carry the line; the control's
 * path is for the caller to add.
 */
export interface Codec<T> {
  parse(text: string): T;
  format(value: T): string;
}

/** Checks size and characters before the control's own rules: EMSGSIZE, EINVAL. */
export function control<T>(codec: { parse(text: string): T; format(value: NoInfer<T>): string }): Codec<T> {
  return {
    format: codec.format,
    parse(text) {
      const bytes = Buffer.byteLength(text);
      if (bytes > MAX_CONTROL_BYTES) {
        const why = `a control holds at most ${MAX_CONTROL_BYTES} bytes, this has ${bytes}`;
        throw new CortexError('EMSGSIZE', why, { layer: 'control' });
      }
      if (/\0|[\ud800-\udfff]/u.test(text)) throw invalid('must be Unicode text without NUL');
      return codec.parse(text);
    },
  };
}

/** The refusal of a control's text: what is wrong, on which line, and what to write instead. */
export function invalid(why: string, at: { line?: number; hint?: string } = {}): CortexError {
  return new CortexError('EINVAL', why, { layer: 'control', ...at });
}

/** Runs the parser of one line, so that its refusal names the line. */
export function atLine<T>(line: number, parse: () => T): T {
  try {
    return parse();
  } catch (err) {
    throw err instanceof CortexError ? withContext(err, { line }) : err;
  }
}
