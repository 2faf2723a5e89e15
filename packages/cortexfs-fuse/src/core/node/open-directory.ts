import type { DirectoryEntry } from '../file-system.ts';
import { DIRECTORY } from '../store/mode.ts';

export interface Listed {
  readonly name: string;
  /** The S_IFMT bits, 0 when unknown. */
  readonly type: number;
}

/** Readers of a directory get no inode numbers from us; the kernel learns them with the entries. */
const UNKNOWN_INODE = 0xffffffffn;
const DOTS: readonly Listed[] = [
  { name: '.', type: DIRECTORY },
  { name: '..', type: DIRECTORY },
];

/** A listing as it was when reading began. A cookie is the number of entries before it. */
export class OpenDirectory {
  readonly #list: () => readonly Listed[];
  #entries: readonly Listed[] | undefined;

  constructor(list: () => readonly Listed[]) {
    this.#list = list;
  }

  read(offset: number, limit: number): DirectoryEntry[] {
    if (offset === 0 || this.#entries === undefined) this.#entries = this.#list();
    const end = Math.min(offset + limit, DOTS.length + this.#entries.length);
    const found: DirectoryEntry[] = [];
    for (let at = offset; at < end; at++) {
      const { name, type } = (at < DOTS.length ? DOTS[at] : this.#entries[at - DOTS.length])!;
      found.push({ name, type, ino: UNKNOWN_INODE, cookie: at + 1 });
    }
    return found;
  }
}
