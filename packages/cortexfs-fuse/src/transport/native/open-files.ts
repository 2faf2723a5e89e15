import { CortexError } from '@cortexfs/abi/errors';
import type { Handle, NodeId, Opened } from '../../core/file-system.ts';

/** An open file of the file system, with the node it was opened by. */
export interface OpenFile {
  /** Where libfuse believes it to be. */
  path: string;
  readonly node: NodeId;
  readonly handle: Handle;
  /** A real descriptor, where the bytes pass through. */
  readonly fd: number | undefined;
}

/** Open files by the number that libfuse carries for us: 31 bits, and 0 means none, so numbers are used again. */
export class OpenFiles {
  readonly #files = new Map<number, OpenFile>();
  readonly #free: number[] = [];

  add(path: string, node: NodeId, { handle, fd }: Opened): number {
    const number = this.#free.pop() ?? this.#files.size + 1;
    this.#files.set(number, { path, node, handle, fd });
    return number;
  }

  get(number: number): OpenFile {
    const file = this.#files.get(number);
    if (file === undefined) throw new CortexError('EBADF', 'not open', { layer: 'mount' });
    return file;
  }

  take(number: number): OpenFile | undefined {
    const file = this.#files.get(number);
    if (this.#files.delete(number)) this.#free.push(number);
    return file;
  }

  at(path: string): OpenFile | undefined {
    for (const file of this.#files.values()) if (file.path === path) return file;
    return undefined;
  }

  /** Whether one lies below this directory. */
  anyBelow(path: string): boolean {
    for (const file of this.#files.values()) if (file.path.startsWith(`${path}/`)) return true;
    return false;
  }

  /** What was at `from`, or below it, is at `to` now. */
  moved(from: string, to: string): void {
    for (const file of this.#files.values())
      if (file.path === from || file.path.startsWith(`${from}/`))
        file.path = to + file.path.slice(from.length);
  }
}
