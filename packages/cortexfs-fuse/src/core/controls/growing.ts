import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { refuse } from '../refuse.ts';

/** The content of a small file being written in memory, at most as long as a control may be. */
export class GrowingContent {
  readonly #path: string;
  #bytes: Buffer;

  constructor(path: string, bytes: Buffer = Buffer.alloc(0)) {
    this.#path = path;
    this.#bytes = bytes;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  write(offset: number, data: Buffer): void {
    const end = offset + data.length;
    this.#require(end);
    const grown = Buffer.alloc(Math.max(end, this.#bytes.length));
    this.#bytes.copy(grown);
    data.copy(grown, offset);
    this.#bytes = grown;
  }

  truncate(size: number): void {
    this.#require(size);
    const changed = Buffer.alloc(size);
    this.#bytes.copy(changed);
    this.#bytes = changed;
  }

  #require(size: number): void {
    if (size > MAX_CONTROL_BYTES)
      throw refuse('EFBIG', this.#path, `a control holds at most ${MAX_CONTROL_BYTES} bytes`, {
        layer: 'control',
      });
  }
}
