import { constants } from 'node:fs';
import type { RequestContext } from '../file-system.ts';
import { OpenFile } from '../node/open-file.ts';
import { GrowingContent } from './growing.ts';

interface Target {
  readonly path: string;
  commit(context: RequestContext, bytes: Buffer): void;
  closed(edit: Edit): void;
}

/**
 * A control opened for writing. What is written stays in memory; close(2) and fsync(2) check it and replace the
 * control in one step, or report why not. A failed edit is dropped: the old value stays.
 */
export class Edit extends OpenFile {
  readonly #target: Target;
  readonly #appends: boolean;
  #content: GrowingContent;
  #changed: boolean;
  #failed = false;

  constructor(target: Target, flags: number, old: Buffer, isNew: boolean) {
    super();
    this.#target = target;
    this.#appends = (flags & constants.O_APPEND) !== 0;
    this.#changed = isNew || (flags & constants.O_TRUNC) !== 0;
    this.#content = new GrowingContent(target.path, this.#changed ? Buffer.alloc(0) : old);
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
    this.#change(() => this.#content.write(this.#appends ? this.size : offset, data));
    return data.length;
  }

  override truncate(size: number): void {
    this.#change(() => this.#content.truncate(size));
  }

  override flush(context: RequestContext): void {
    if (!this.#changed || this.#failed) return;
    this.#changed = false;
    this.#target.commit(context, this.#content.bytes);
  }

  override fsync(context: RequestContext): void {
    this.flush(context);
  }

  override release(): void {
    this.#target.closed(this);
  }

  /** Half of what was meant must never be committed. */
  #change(change: () => void): void {
    this.#changed = true;
    try {
      change();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}
