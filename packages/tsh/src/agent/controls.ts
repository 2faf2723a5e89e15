import { join } from 'node:path';
import type { Codec } from '@cortexfs/abi/controls/codec';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';
import { readSmallFile } from '../place/small-file.ts';

/** The value of a control, or why there is none. Its path in errors is the ABI path. */
export function loadControl<T>(root: string, path: string, codec: Codec<T>, missing?: T): T | CortexError {
  try {
    const text = readSmallFile(join(root, path), path);
    if (text !== undefined) return codec.parse(text);
    return missing ?? new CortexError('ENOENT', 'the control is missing', { path, layer: 'control' });
  } catch (error) {
    return withContext(fromNodeError(error, {}), { path, layer: 'control' });
  }
}

/** The same where nothing can be done without the value. */
export function requireControl<T>(root: string, path: string, codec: Codec<T>, missing?: T): T {
  const value = loadControl(root, path, codec, missing);
  if (value instanceof CortexError) throw value;
  return value;
}
