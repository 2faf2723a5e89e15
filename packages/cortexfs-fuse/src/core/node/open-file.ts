import type { Attr, RequestContext } from '../file-system.ts';
import { refuse } from '../refuse.ts';

/** An open file. One object a handle, so that every handle reads one consistent content. */
export abstract class OpenFile {
  abstract readonly path: string;
  /** Set where bytes pass through. */
  readonly fd: number | undefined = undefined;
  readonly direct: boolean = true;
  readonly keepCache: boolean = false;

  abstract read(offset: number, size: number): Buffer;

  write(_context: RequestContext, _offset: number, _data: Buffer): number {
    throw refuse('EBADF', this.path, 'not open for writing');
  }

  truncate(_size: number): void {
    throw refuse('EBADF', this.path, 'not open for writing');
  }

  /** Attributes of the open inode, where it may have lost its name. */
  attr(): Attr | undefined {
    return undefined;
  }

  flush(_context: RequestContext): void {}
  fsync(_context: RequestContext, _dataOnly: boolean): void {}
  release(): void {}
}
