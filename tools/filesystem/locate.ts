import { closeSync } from 'node:fs';
import type { ErrnoName } from '@cortexfs/abi/errno';
import { CortexError } from '@cortexfs/abi/errors';
import { fromBytes, holdNoFollow, holdRoot, readLink, statHeld, toBytes } from './descriptor.ts';
import { refuse } from './refuse.ts';
import { confine, type Scope } from './scope.ts';

/** Where a path leads. The descriptors stay open until `release`. */
export interface Located {
  /** The directory that holds the object, and the object's name in it (byte string; `.` for the root). */
  readonly directory: number;
  readonly name: string;
  /** The object itself, held without being opened; undefined when the last name does not exist. */
  readonly object: number | undefined;
  /** No links, no `..`; a byte string. */
  readonly canonical: string;
  release(): void;
}

const MAX_LINKS = 40;

interface Step {
  readonly directory: number;
  readonly name: string;
}

/**
 * Resolves a path name by name on held descriptors, so that nothing swapped in later is used. Links are followed
 * as text, never by the kernel, so that the scope can judge where each one leads; the last name's link is followed
 * only if asked. ENOENT only for names before the last.
 */
export function locate(path: string, scope: Scope, followLast: boolean): Located {
  if (path.includes('\0'))
    throw new CortexError('EINVAL', 'a path cannot contain NUL', { path, layer: 'tool' });
  const walk = new Walk(path, scope, followLast);
  try {
    return walk.run();
  } catch (err) {
    walk.close();
    throw refuse(err, path);
  }
}

class Walk {
  readonly #asked: string;
  readonly #scope: Scope;
  readonly #followLast: boolean;
  /** Names still to walk, the next one last. */
  #pending: string[] = [];
  #steps: Step[] = [{ directory: holdRoot(), name: '' }];
  #links = 0;
  #linkPlaces: string[] = [];
  #mustBeDirectory = false;

  constructor(path: string, scope: Scope, followLast: boolean) {
    this.#asked = path;
    this.#scope = scope;
    this.#followLast = followLast;
    this.#queue(toBytes(path.startsWith('/') ? path : `${scope.cwd}/${path}`));
  }

  run(): Located {
    for (let name = this.#pending.pop(); name !== undefined; name = this.#pending.pop()) {
      if (name === '..') this.#up();
      else {
        const found = this.#enter(name);
        if (found) return found;
      }
    }
    return this.#finish(this.#top().directory, '.', holdNoFollow(this.#top().directory, '.'));
  }

  close(): void {
    for (const step of this.#steps) closeSync(step.directory);
    this.#steps = [];
  }

  /** One name down. Returns the end of the walk when there is one. */
  #enter(name: string): Located | undefined {
    const { directory } = this.#top();
    const last = this.#pending.length === 0;
    const object = hold(directory, name, last && !this.#mustBeDirectory);
    if (object === undefined) return this.#finish(directory, name, undefined);
    const stat = statHeld(object);
    if (stat.isSymbolicLink() && (!last || this.#followLast || this.#mustBeDirectory)) {
      closeSync(object);
      this.#follow(directory, name);
      return undefined;
    }
    if (!stat.isDirectory() && (!last || this.#mustBeDirectory)) {
      closeSync(object);
      throw this.#error('ENOTDIR', `${fromBytes(name)} is not a directory`);
    }
    if (last) return this.#finish(directory, name, object);
    this.#steps.push({ directory: object, name });
    return undefined;
  }

  #follow(directory: number, name: string): void {
    if (++this.#links > MAX_LINKS) {
      throw this.#error('ELOOP', `more than ${MAX_LINKS} symbolic links`);
    }
    let target: string;
    try {
      target = readLink(directory, name);
    } catch (err) {
      // Swapped for something else since it was looked at: look again.
      if ((err as NodeJS.ErrnoException).code !== 'EINVAL') throw err;
      this.#pending.push(name);
      return;
    }
    this.#linkPlaces.push(this.#canonical('.'));
    if (target.startsWith('/')) while (this.#steps.length > 1) this.#up();
    this.#queue(target);
  }

  #queue(path: string): void {
    // An ending slash or dot asks for a directory, when nothing follows.
    if (this.#pending.length === 0 && /(^|\/)\.?$/.test(path)) this.#mustBeDirectory = true;
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    this.#pending.push(...names.reverse());
  }

  #error(code: ErrnoName, message: string): CortexError {
    return new CortexError(code, message, { path: this.#asked, layer: 'tool' });
  }

  #up(): void {
    if (this.#steps.length > 1) closeSync(this.#steps.pop()!.directory);
  }

  #top(): Step {
    return this.#steps[this.#steps.length - 1]!;
  }

  #canonical(name: string): string {
    const names = this.#steps.slice(1).map((step) => step.name);
    return `/${(name === '.' ? names : [...names, name]).join('/')}`;
  }

  #finish(directory: number, name: string, object: number | undefined): Located {
    const bytes = this.#canonical(name);
    try {
      confine(this.#scope, this.#asked, bytes, this.#linkPlaces);
    } catch (err) {
      if (object !== undefined) closeSync(object);
      throw err;
    }
    return {
      directory,
      name,
      object,
      canonical: bytes,
      release: () => {
        if (object !== undefined) closeSync(object);
        this.close();
      },
    };
  }
}

/** An object that must be there, with its type's refusal left to the caller. */
export function locateExisting(
  path: string,
  scope: Scope,
  followLast: boolean,
): Located & { object: number } {
  const found = locate(path, scope, followLast);
  if (found.object !== undefined) return { ...found, object: found.object };
  found.release();
  throw new CortexError('ENOENT', 'no such file or directory', { path, layer: 'tool' });
}

function hold(directory: number, name: string, mayBeMissing: boolean): number | undefined {
  try {
    return holdNoFollow(directory, name);
  } catch (err) {
    if (mayBeMissing && (err as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw err;
  }
}
