import { closeSync, constants, fchmodSync, fstatSync, fsyncSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { InstallableClass } from '@cortexfs/abi/manifest';
import { sameInode } from '@cortexfs/abi/receipt/inode';
import type { Tier } from '@cortexfs/abi/receipt/object';
import { makeDirectory } from '@cortexfs/linux/entry';
import { codeOf } from '@cortexfs/linux/native';
import { O_PATH } from '@cortexfs/linux/o-path';
import { openBeneath, openName } from '@cortexfs/linux/open-beneath';
import { requireTrusted } from './trusted.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * The directory of a tier that holds the objects of a class, held open. Every directory on the way from the store is opened without
 * following links, and must belong to the caller or root and be closed to other writers (EACCES).
 */
export class ClassDirectory {
  /** Below the store: `tool`, `home/1000/tool`. */
  readonly path: string;
  readonly #store: number;
  readonly #names: readonly string[];
  #descriptor: number | undefined;

  /** `store` stays the caller's. A directory that is missing is so until `make`. */
  constructor(store: number, tier: Tier, objectClass: InstallableClass, uid = process.geteuid!()) {
    this.#store = store;
    this.#names = tier === 'system' ? [objectClass] : ['home', String(uid), objectClass];
    this.path = this.#names.join('/');
    this.#descriptor = this.#walk(false);
  }

  get exists(): boolean {
    return this.#descriptor !== undefined;
  }

  get descriptor(): number {
    if (this.#descriptor === undefined)
      throw new CortexError('ENOENT', 'does not exist', { path: this.path });
    return this.#descriptor;
  }

  /** Makes what is missing, each made name durable. */
  make(): void {
    this.#descriptor ??= this.#walk(true);
  }

  /** ESTALE when the path leads elsewhere by now than to the held directory. */
  requireInPlace(): void {
    const now = this.#walk(false);
    try {
      if (now !== undefined && sameInode(statusOf(now), statusOf(this.descriptor))) return;
    } finally {
      if (now !== undefined) closeSync(now);
    }
    throw new CortexError('ESTALE', 'was moved away while the command ran', {
      path: this.path,
      layer: 'store',
    });
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #walk(make: boolean): number | undefined {
    requireTrusted('.', statusOf(this.#store));
    let current = this.#store;
    for (const [index, name] of this.#names.entries()) {
      const last = index === this.#names.length - 1;
      const path = this.#names.slice(0, index + 1).join('/');
      try {
        const next = openOrMake(current, name, path, last ? O_RDONLY : O_PATH, make);
        if (next === undefined) return undefined;
        if (current !== this.#store) closeSync(current);
        current = next;
        requireTrusted(path, statusOf(current));
      } catch (err) {
        if (current !== this.#store) closeSync(current);
        throw fromNodeError(err, { path, layer: 'store' });
      }
    }
    return current;
  }
}

function openOrMake(
  parent: number,
  name: string,
  path: string,
  flags: number,
  make: boolean,
): number | undefined {
  const found = open(parent, name, flags);
  if (found !== undefined || !make) return found;
  // A home is its user's own.
  const mode = /^home\/[0-9]+$/.test(path) ? 0o700 : 0o755;
  try {
    makeDirectory(parent, name, mode);
  } catch (err) {
    // Another installer made it at the same moment.
    if (codeOf(err) === 'EEXIST') return openName(parent, name, flags | O_DIRECTORY | O_NOFOLLOW);
    throw err;
  }
  const made = openName(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  // Whatever the umask took away.
  fchmodSync(made, mode);
  syncEntries(parent);
  return made;
}

function open(parent: number, name: string, flags: number): number | undefined {
  try {
    return openName(parent, name, flags | O_DIRECTORY | O_NOFOLLOW);
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return undefined;
    throw err;
  }
}

/** A parent was held for its names only, which cannot be synced through that descriptor. */
function syncEntries(directory: number): void {
  const readable = openBeneath(directory, '.', O_RDONLY | O_DIRECTORY);
  try {
    fsyncSync(readable);
  } finally {
    closeSync(readable);
  }
}

const statusOf = (descriptor: number) => fstatSync(descriptor, { bigint: true });
