import { CortexError, fromNodeError } from '@cortexfs/abi/errors';

/** Any failure of a file call as the tool's refusal, naming the path that was asked for. */
export function refuse(err: unknown, path: string): CortexError {
  return err instanceof CortexError ? err : fromNodeError(err, { path, layer: 'tool' });
}
