import { OpenFile } from '../node/open-file.ts';

/** Content fixed at open: a rendering, or a small file read whole. */
export class Snapshot extends OpenFile {
  readonly path: string;
  readonly #content: Buffer;

  constructor(path: string, content: Buffer) {
    super();
    this.path = path;
    this.#content = content;
  }

  read(offset: number, size: number): Buffer {
    return this.#content.subarray(offset, offset + size);
  }
}
