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
    if (offset === 0 || this.#entries === undefined) this.#entries = [...DOTS, ...this.#list()];
    return this.#entries.slice(offset, offset + limit).map(({ name, type }, index) => ({
      name,
      type,
      ino: UNKNOWN_INODE,
      cookie: offset + index + 1,
    }));
  }
}
