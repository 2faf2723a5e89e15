import type { ErrnoName } from '@cortexfs/abi/errno';
import { CortexError, type Layer } from '@cortexfs/abi/errors';
import { stripControls } from '@cortexfs/abi/terminal-text';
import type { ProcessEnd } from './process-output.ts';

/** The errno names behind the exit codes of an object (docs/errors.md). */
const CODES: Readonly<Record<number, ErrnoName>> = {
  2: 'EINVAL',
  13: 'EACCES',
  69: 'EHOSTDOWN',
  126: 'EACCES',
  127: 'ENOENT',
};

/**
 * Why a process failed, from its exit code and the last line of its error output; undefined when it did not. A line that begins with
 * `hint: `, as our own programs end, is the hint.
 */
export function exitError(what: string, { exit, stderr }: ProcessEnd, layer: Layer): CortexError | undefined {
  if (exit.code === 0) return undefined;
  const ended = exit.code === null ? `was ended by ${exit.signal}` : `exited with code ${exit.code}`;
  const lines = stripControls(stderr).trimEnd().split('\n');
  const hint = lines.at(-1)?.startsWith('hint: ') ? lines.pop()!.slice('hint: '.length) : undefined;
  const last = lines.at(-1)?.slice(0, 500);
  const code = (exit.code === null ? undefined : CODES[exit.code]) ?? 'EIO';
  return new CortexError(code, `${what} ${ended}${last ? `: ${last}` : ''}`, { layer, hint });
}
