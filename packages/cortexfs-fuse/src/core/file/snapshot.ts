import { OpenFile } from '../node/open-file.ts';

/** Content fixed at open: a rendering, or a small file read whole. */
export class Snapshot extends OpenFile {
  readonly path: string;
  readonly #content: Buffer;
  readonly #closed: (snapshot: Snapshot) => void;

  constructor(path: string, content: Buffer, closed = (_: Snapshot) => {}) {
    super();
    this.path = path;
    this.#content = content;
    this.#closed = closed;
  }

  get size(): number {
    return this.#content.length;
  }

  read(offset: number, size: number): Buffer {
    return this.#content.subarray(offset, offset + size);
  }

  override release(): void {
    this.#closed(this);
  }
}
