import { identityOf } from './identity.ts';
import { Location } from './location.ts';
import { DIRECTORY, typeOf } from './mode.ts';
import type { Store } from './store.ts';

const LIMIT = 4096;

/** Directories of the store by their fixed path, looked at anew in each request, so that a replaced one is noticed. */
export class Places {
  readonly #store: Store;
  readonly #known = new Map<string, Location>();
  /** Found in the request at hand, which sees each directory once. */
  readonly #seen = new Map<string, Location>();

  constructor(store: Store) {
    this.#store = store;
  }

  startRequest(onlyLooks = false): void {
    this.#store.startRequest(onlyLooks);
    if (this.#seen.size > 0) this.#seen.clear();
  }

  /** The directory at a path of single names; undefined when any step is absent or no directory. */
  directory(path: string): Location | undefined {
    const seen = this.#seen.get(path);
    if (seen !== undefined) return seen;
    const found = this.#walk(path);
    if (found !== undefined) this.#seen.set(path, found);
    return found;
  }

  #walk(path: string): Location | undefined {
    let at = this.#store.root;
    let walked = '';
    for (const name of path.split('/')) {
      if (name === '' || name === '.' || name === '..') return undefined;
      walked += `/${name}`;
      const stat = this.#store.find(at, name);
      if (stat === undefined || typeOf(Number(stat.mode)) !== DIRECTORY) return undefined;
      at = this.#intern(walked, at, name, identityOf(stat));
    }
    return at;
  }

  /** Keeps one location a directory, because its open descriptor hangs on it. */
  #intern(path: string, parent: Location, name: string, identity: string): Location {
    const known = this.#known.get(path);
    if (known?.identity === identity && known.parent === parent) return known;
    if (known !== undefined) this.#store.forget(known);
    if (this.#known.size >= LIMIT) this.#forgetAll();
    const location = new Location(parent, name, identity);
    this.#known.set(path, location);
    return location;
  }

  #forgetAll(): void {
    for (const location of this.#known.values()) this.#store.forget(location);
    this.#known.clear();
  }
}
