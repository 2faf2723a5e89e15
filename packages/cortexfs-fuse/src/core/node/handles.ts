import type { Handle } from '../file-system.ts';
import { refuse } from '../refuse.ts';

/** Open files or open directories by number. */
export class HandleTable<T> {
  readonly #open = new Map<Handle, T>();
  #next: Handle = 1;

  add(value: T): Handle {
    const handle = this.#next++;
    this.#open.set(handle, value);
    return handle;
  }

  get(handle: Handle): T {
    const value = this.#open.get(handle);
    if (value === undefined) throw refuse('EBADF', `handle ${handle}`, 'not open');
    return value;
  }

  take(handle: Handle): T | undefined {
    const value = this.#open.get(handle);
    this.#open.delete(handle);
    return value;
  }

  takeAll(): T[] {
    const all = [...this.#open.values()];
    this.#open.clear();
    return all;
  }

  get size(): number {
    return this.#open.size;
  }
}
