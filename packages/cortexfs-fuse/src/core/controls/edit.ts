import { constants } from 'node:fs';
import type { RequestContext } from '../file-system.ts';
import { OpenFile } from '../node/open-file.ts';
import { GrowingContent } from './growing.ts';

export interface EditTarget {
  readonly path: string;
  /** Throws when the content as a whole is no value of the control. */
  check(bytes: Buffer): void;
  /** Whether a beginning of a valid content may be invalid, as with JSON. */
  readonly growsTogether: boolean;
  commit(context: RequestContext, bytes: Buffer): void;
  closed(edit: Edit): void;
}

/** A shorter first write is what `echo` and the like write in one piece; longer contents come in buffers of this size. */
const ONE_PIECE = 4096;

/**
 * A control opened for writing. What is written stays in memory; close(2) and fsync(2) check it and replace the
 * control in one step, or report why not, and the old value stays. A short value is checked by write(2) already,
 * because shells do not look at what close(2) says.
 */
export class Edit extends OpenFile {
  readonly #opener: RequestContext;
  readonly #target: EditTarget;
  readonly #appends: boolean;
  readonly #content: GrowingContent;
  /** Emptied or made by open: that alone counts only when nothing was written until the last close. */
  #emptied: boolean;
  #written = false;
  #failed = false;

  constructor(opener: RequestContext, target: EditTarget, flags: number, old: Buffer, isNew: boolean) {
    super();
    this.#opener = opener;
    this.#target = target;
    this.#appends = (flags & constants.O_APPEND) !== 0;
    this.#emptied = isNew || (flags & constants.O_TRUNC) !== 0;
    this.#content = new GrowingContent(target.path, this.#emptied ? Buffer.alloc(0) : old);
  }

  get path(): string {
    return this.#target.path;
  }

  get size(): number {
    return this.#content.bytes.length;
  }

  read(offset: number, size: number): Buffer {
    return this.#content.bytes.subarray(offset, offset + size);
  }

  override write(_context: RequestContext, offset: number, data: Buffer): number {
    const at = this.#appends ? this.size : offset;
    if (at === 0 && this.size === 0 && data.length < ONE_PIECE && !this.#target.growsTogether)
      this.#change(() => this.#target.check(data));
    this.#change(() => this.#content.write(at, data));
    return data.length;
  }

  override truncate(size: number): void {
    this.#change(() => this.#content.truncate(size));
  }

  /** Every copy of the descriptor that is closed comes here, also the one that a shell closes before it writes. */
  override flush(context: RequestContext): void {
    if (this.#written) this.#commit(context);
  }

  override fsync(context: RequestContext): void {
    if (this.#written || this.#emptied) this.#commit(context);
  }

  override release(): void {
    try {
      if (this.#emptied) this.#commit(this.#opener);
    } catch {
      // Nobody is left to hear it: `: > control` leaves the old value where empty is no value.
    } finally {
      this.#target.closed(this);
    }
  }

  #commit(context: RequestContext): void {
    this.#written = false;
    this.#emptied = false;
    if (!this.#failed) this.#target.commit(context, this.#content.bytes);
  }

  /** Half of what was meant must never be committed. */
  #change(change: () => void): void {
    this.#emptied = false;
    try {
      change();
      this.#written = true;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}
