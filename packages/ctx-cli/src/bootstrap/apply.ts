import { chmodSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { writeDurableSync } from '@cortexfs/linux/durable-write';
import type { Entry } from './entry.ts';

export type Outcome = 'exists' | 'would_write' | 'wrote';

/**
 * Brings one entry into the store, or says what would happen. What exists is left as it is, whatever it holds.
 * @throws CortexError EEXIST when something of another kind stands in its place.
 */
export function applyEntry(store: string, entry: Entry, dryRun: boolean): Outcome {
  const path = join(store, entry.path);
  const found = kindAt(path);
  if (found === entry.kind) return 'exists';
  if (found !== undefined) {
    const hint = `look at ${path}, move it away, then run ctx bootstrap again`;
    throw new CortexError('EEXIST', `a ${found} stands where a ${entry.kind} belongs`, {
      path: entry.path,
      layer: 'store',
      hint,
    });
  }
  if (dryRun) return 'would_write';
  try {
    write(path, entry);
  } catch (error) {
    throw fromNodeError(error, { path: entry.path, layer: 'store' });
  }
  return 'wrote';
}

function kindAt(path: string): Entry['kind'] | 'special file' | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'link';
  return stat.isFile() ? 'file' : 'special file';
}

function write(path: string, entry: Entry): void {
  if (entry.kind === 'file') writeDurableSync(path, entry.content, { mode: entry.mode });
  else if (entry.kind === 'link') symlinkSync(entry.target, path);
  else {
    mkdirSync(path, { mode: entry.mode });
    // mkdir's mode is cut by the caller's umask.
    chmodSync(path, entry.mode);
  }
}
