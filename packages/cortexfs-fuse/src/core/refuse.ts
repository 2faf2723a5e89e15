import type { ErrnoName } from '@cortexfs/abi/errno';
import { CortexError, type Layer } from '@cortexfs/abi/errors';

/** The refusal of an operation on an ABI path. */
export function refuse(
  code: ErrnoName,
  path: string,
  why: string,
  more: { layer?: Layer; hint?: string | undefined } = {},
): CortexError {
  return new CortexError(code, why, { path, layer: 'mount', ...more });
}

export function missing(directory: string, name: string): CortexError {
  return refuse('ENOENT', directory === '' ? name : `${directory}/${name}`, 'no such file or directory');
}
