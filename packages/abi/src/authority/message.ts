import type { CortexError } from '../errors.ts';

/** A control's fault inside a longer sentence, with its line. */
export function messageOf({ line, message }: CortexError): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
