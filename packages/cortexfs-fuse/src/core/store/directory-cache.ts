import { closeSync } from 'node:fs';
import type { Location } from './location.ts';

/** Descriptors of the directories used last. A descriptor is only good until the next `put`. */
export class DirectoryCache {
  readonly #limit: number;
  readonly #open = new Map<Location, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(location: Location): boolean {
    return this.#open.has(location);
  }

  get(location: Location): number | undefined {
    const fd = this.#open.get(location);
    if (fd === undefined) return undefined;
    this.#open.delete(location);
    this.#open.set(location, fd);
    return fd;
  }

  /** Keeps the descriptor. The two used last always stay open, so that a rename can hold both its directories. */
  put(location: Location, fd: number): void {
    this.#open.set(location, fd);
    for (const [oldest] of this.#open) {
      if (this.#open.size <= Math.max(this.#limit, 2)) break;
      this.drop(oldest);
    }
  }

  drop(location: Location): void {
    const fd = this.#open.get(location);
    if (fd === undefined) return;
    this.#open.delete(location);
    closeSync(fd);
  }

  clear(): void {
    for (const location of [...this.#open.keys()]) this.drop(location);
  }
}
