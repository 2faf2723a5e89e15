import { randomBytes } from 'node:crypto';
import { type BigIntStats, closeSync, fstatSync, opendirSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { type Inode, sameInode } from '@cortexfs/abi/receipt/inode';
import { moveEntry, openDirectory, removeDirectory, removeFile, statusOf } from '@cortexfs/linux/entry';
import type { EntryName } from '@cortexfs/linux/entry-name';
import { codeOf } from '@cortexfs/linux/native';
import { inodeOf } from '../file/identity.ts';

/** Deepest directory below the first, and most entries, that are looked at. */
export const MAX_DEPTH = 64;
export const MAX_ENTRIES = 100_000;

/** What stood under a name when a removal was planned: exactly that is removed and nothing else. */
export interface Planned {
  readonly name: EntryName;
  readonly inode: Inode;
  /** Of a directory. */
  readonly entries?: readonly Planned[];
}

/**
 * Plans the removal of everything in a held directory, following nothing. Refused whole over the limits (EFBIG), across
 * devices (EXDEV), and for what is no file, link or directory (ENOTSUP).
 */
export function planEntries(
  directory: number,
  path: string,
  budget = { left: MAX_ENTRIES },
  depth = 1,
): Planned[] {
  const { dev } = fstatSync(directory, { bigint: true });
  return namesIn(directory, path, budget).map((name) => {
    const where = `${path}/${name.toString()}`;
    const status = statusOf(directory, name);
    if (status === undefined) throw fault('ESTALE', where, 'vanished while it was looked at');
    if (status.dev !== dev) throw fault('EXDEV', where, 'lies on another device');
    if (!status.isDirectory()) {
      if (!status.isFile() && !status.isSymbolicLink())
        throw fault('ENOTSUP', where, 'is no file, link or directory: remove it by hand');
      return { name, inode: inodeOf(status) };
    }
    if (depth === MAX_DEPTH) throw fault('EFBIG', where, `lies deeper than ${MAX_DEPTH} levels`);
    const entries = inside(directory, { name, inode: inodeOf(status) }, where, (descriptor) =>
      planEntries(descriptor, where, budget, depth + 1),
    );
    return { name, inode: inodeOf(status), entries };
  });
}

/**
 * Removes what was planned, children first. Each entry first gets a name that nobody else knows, and is looked at under that: what is
 * then removed is what was looked at. ESTALE where something else stands, ENOTEMPTY where more does; that stays where it was.
 */
export function removePlanned(directory: number, path: string, planned: readonly Planned[]): void {
  requireNoMore(directory, path, planned);
  for (const entry of planned) {
    const where = `${path}/${Buffer.from(entry.name).toString()}`;
    const taken = takeAside(directory, entry, where);
    try {
      if (entry.entries === undefined) removeFile(directory, taken);
      else {
        inside(directory, { ...entry, name: taken }, where, (below) =>
          removePlanned(below, where, entry.entries!),
        );
        removeDirectory(directory, taken);
      }
    } catch (err) {
      putBack(directory, taken, entry.name);
      throw fromNodeError(err, { path: where });
    }
  }
}

/** The name under which an entry now stands, verified. */
function takeAside(directory: number, entry: Planned, path: string): EntryName {
  const aside = `.cortexfs-remove-${randomBytes(8).toString('hex')}`;
  try {
    moveEntry(directory, entry.name, directory, aside);
  } catch (err) {
    // A full disk must not keep anything from being removed, and a longer name may need a block.
    if (codeOf(err) !== 'ENOSPC' && codeOf(err) !== 'EDQUOT') throw fromNodeError(err, { path });
    requireStill(path, entry, statusOf(directory, entry.name));
    return entry.name;
  }
  try {
    requireStill(path, entry, statusOf(directory, aside));
  } catch (err) {
    putBack(directory, aside, entry.name);
    throw err;
  }
  return aside;
}

function putBack(directory: number, name: EntryName, original: EntryName): void {
  if (name === original) return;
  try {
    moveEntry(directory, name, directory, original);
  } catch {
    // It is gone, or its place is taken: it stays in the residue under its new name.
  }
}

export function countPlanned(planned: readonly Planned[]): number {
  return planned.reduce((sum, { entries }) => sum + 1 + countPlanned(entries ?? []), 0);
}

export interface Entry {
  readonly name: Buffer;
  /** Known to be no directory; false when the file system does not tell. */
  readonly leaf: boolean;
}

export function namesIn(directory: number, path: string, budget: { left: number }): Buffer[] {
  return entriesIn(directory, path, budget).map(({ name }) => name);
}

/** The entries of a held directory, by name as bytes and in their order; no more than the budget has. */
export function entriesIn(directory: number, path: string, budget: { left: number }): Entry[] {
  const found: Entry[] = [];
  // Node's types know text only.
  const entries = opendirSync(`/proc/self/fd/${directory}`, { encoding: 'buffer' as BufferEncoding });
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (budget.left-- === 0) throw fault('EFBIG', path, `there are more than ${MAX_ENTRIES} entries`);
      found.push({ name: entry.name as unknown as Buffer, leaf: entry.isFile() || entry.isSymbolicLink() });
    }
  } finally {
    entries.closeSync();
  }
  return found.sort((a, b) => Buffer.compare(a.name, b.name));
}

/** Hands the directory of an entry to `use`, after a look that it is the one meant. */
function inside<T>(directory: number, entry: Planned, path: string, use: (descriptor: number) => T): T {
  const descriptor = openDirectory(directory, entry.name);
  if (descriptor === undefined) throw fault('ESTALE', path, 'vanished while it was looked at');
  try {
    requireStill(path, entry, fstatSync(descriptor, { bigint: true }));
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function requireNoMore(directory: number, path: string, planned: readonly Planned[]): void {
  const known = new Set(planned.map(({ name }) => Buffer.from(name).toString('latin1')));
  const more = namesIn(directory, path, { left: MAX_ENTRIES }).find(
    (name) => !known.has(name.toString('latin1')),
  );
  if (more !== undefined)
    throw fault('ENOTEMPTY', `${path}/${more.toString()}`, 'was not there when this was planned');
}

function requireStill(path: string, { inode }: Planned, now: BigIntStats | undefined): void {
  if (now === undefined || !sameInode(inode, now))
    throw fault('ESTALE', path, 'is not what was planned to be removed');
}

function fault(
  code: 'ESTALE' | 'EXDEV' | 'ENOTSUP' | 'EFBIG' | 'ENOTEMPTY',
  path: string,
  why: string,
): CortexError {
  return new CortexError(code, why, { path, layer: 'store' });
}
