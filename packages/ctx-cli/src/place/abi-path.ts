import { join, normalize } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';

/**
 * A path as people type it (`agent/coder.d/model`, `/ctx/agent/…`, or below the root itself) relative to the root, without a leading slash;
 * the root is the empty text.
 * @throws CortexError EINVAL for a path that leaves the root.
 */
export function abiPath(root: string, typed: string): string {
  const inside = [root, '/ctx'].find((prefix) => typed === prefix || typed.startsWith(`${prefix}/`));
  const below = (inside === undefined ? typed : typed.slice(inside.length)).replace(/^\/+/, '');
  const path = normalize(below).replace(/\/+$/, '');
  if (path === '.') return '';
  if (path.split('/').includes('..')) {
    throw new CortexError('EINVAL', 'it is outside the root', { path: typed, layer: 'path' });
  }
  return path;
}

/** The file that an ABI path names below a root. */
export function fileAt(root: string, path: string): string {
  return join(root, path);
}
