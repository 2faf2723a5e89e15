import { accessSync, constants, type Stats, unlinkSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { fsyncDirectory, TEMPORARY_PREFIX, writeDurable } from '@cortexfs/linux/durable-write';
import { fromBytes, heldPath, statHeld, toBytes } from './descriptor.ts';
import type { Located } from './locate.ts';
import { refuse } from './refuse.ts';
import { checkRegular } from './regular.ts';

/** Most bytes of a file that a tool writes by `fs.write`. */
export const MAX_WRITE_BYTES = 1024 * 1024;

/**
 * Puts a whole file at a located name, durably and in one step: a reader sees the old or the new content. Mode and, for
 * root, owner of the old file are kept; a file that its mode closes is not replaced behind its back.
 */
export async function replaceFile(target: Located, path: string, bytes: Uint8Array): Promise<void> {
  const old = target.object === undefined ? undefined : statHeld(target.object);
  try {
    if (target.object !== undefined) {
      checkRegular(target.object, path);
      accessSync(heldPath(target.object), constants.W_OK);
    }
    await writeDurable(nameIn(target, path), bytes, looksOf(old));
  } catch (err) {
    throw refuse(err, path);
  }
}

/** The same for a name that must be free: EEXIST when it is taken, also when it was taken just now. */
export async function createFile(target: Located, path: string, bytes: Uint8Array): Promise<void> {
  if (target.object !== undefined) throw new CortexError('EEXIST', 'already exists', { path, layer: 'tool' });
  const directory = heldPath(target.directory);
  const temporary = `${directory}/${TEMPORARY_PREFIX}${process.pid}`;
  const { renameNoReplace } = await import('@cortexfs/linux/rename');
  try {
    await writeDurable(temporary, bytes, looksOf(undefined));
    try {
      renameNoReplace(temporary, nameIn(target, path));
    } catch (err) {
      unlinkSync(temporary);
      throw err;
    }
    await fsyncDirectory(directory);
  } catch (err) {
    throw refuse(err, path);
  }
}

/** The target through its held directory. Node's path strings are UTF-8, so the last name has to be. */
function nameIn({ directory, name }: Located, path: string): string {
  const text = fromBytes(name);
  if (toBytes(text) !== name)
    throw new CortexError('EILSEQ', 'its name is not UTF-8', { path, layer: 'tool' });
  return `${heldPath(directory)}/${text}`;
}

function looksOf(old: Stats | undefined): { mode: number; owner?: { uid: number; gid: number } } {
  if (old === undefined) return { mode: 0o666 & ~process.umask() };
  const mode = old.mode & 0o777;
  return process.getuid!() === 0 ? { mode, owner: { uid: old.uid, gid: old.gid } } : { mode };
}
