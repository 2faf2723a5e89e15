import { closeSync, readdirSync } from 'node:fs';
import { fromBytes, heldPath, holdNoFollow, statHeld } from '../filesystem/descriptor.ts';

const MAX_DEPTH = 64;
/** What is looked at in one search at most. */
export const MAX_FILES = 50_000;

/** A regular file of a search, held; `path` is relative to where the search began. */
export interface FoundFile {
  readonly path: string;
  readonly held: number;
}

/**
 * The regular files below a held directory, in byte order of names. Links, hidden names and `node_modules` are passed over. Each
 * is held while it is looked at, so that nothing swapped in meanwhile is read.
 */
export function* filesBelow(directory: number, prefix = '', depth = 0): Generator<FoundFile> {
  if (depth > MAX_DEPTH) return;
  for (const name of namesIn(directory)) {
    const held = holdOrSkip(directory, name);
    if (held === undefined) continue;
    try {
      const path = prefix + fromBytes(name);
      const stat = statHeld(held);
      if (stat.isDirectory()) yield* filesBelow(held, `${path}/`, depth + 1);
      else if (stat.isFile()) yield { path, held };
    } finally {
      closeSync(held);
    }
  }
}

function namesIn(directory: number): string[] {
  try {
    return readdirSync(heldPath(directory), 'latin1' as BufferEncoding)
      .filter((name) => !name.startsWith('.') && name !== 'node_modules')
      .sort();
  } catch {
    // Closed to us, or gone: there is nothing to find in it.
    return [];
  }
}

function holdOrSkip(directory: number, name: string): number | undefined {
  try {
    return holdNoFollow(directory, name);
  } catch {
    return undefined;
  }
}
