import { constants } from 'node:fs';
import type { Attr, AttrChange, RequestContext } from '../file-system.ts';
import type { Kind, Origin, Storage } from '../node/kind.ts';
import type { Ttl } from '../node/node.ts';
import { OpenFile } from '../node/open-file.ts';
import { Projected } from '../projection/projected.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { REGULAR } from '../store/mode.ts';
import { GrowingContent } from './growing.ts';

/**
 * The temporary file of somebody who replaces a control by rename. It lives in memory only, so that nothing is left in
 * the store when they never finish; only its maker sees it.
 */
export class StagedFile extends Projected {
  readonly kind: Kind = 'ctx.unknown';
  override readonly origin: Origin = 'mount';
  override readonly storage: Storage = 'memory';
  readonly maker: number;
  readonly content: GrowingContent;
  #mode: number;

  constructor(scope: Scope, path: string, maker: number, mode: number) {
    super(scope, path);
    this.maker = maker;
    this.content = new GrowingContent(path);
    this.#mode = mode & 0o777;
  }

  /** The name soon means something else. */
  override get ttl(): Ttl {
    return { entry: 0, attr: 0 };
  }

  attr(): Attr {
    return this.madeUp(REGULAR | this.#mode, this.content.bytes.length, this.maker);
  }

  override setattr(context: RequestContext, { mode, size }: AttrChange): void {
    this.requireMaker(context);
    if (mode !== undefined) this.#mode = mode & 0o777;
    if (size !== undefined) this.content.truncate(size);
  }

  override open(context: RequestContext, flags: number): OpenFile {
    this.requireMaker(context);
    if ((flags & constants.O_TRUNC) !== 0) this.content.truncate(0);
    return new StagedHandle(this.path(), this.content);
  }

  requireMaker(context: RequestContext): void {
    if (context.uid !== this.maker && context.uid !== 0)
      throw refuse('EACCES', this.path(), 'somebody else is writing it', { layer: 'credentials' });
  }
}

class StagedHandle extends OpenFile {
  readonly path: string;
  readonly #content: GrowingContent;

  constructor(path: string, content: GrowingContent) {
    super();
    this.path = path;
    this.#content = content;
  }

  read(offset: number, size: number): Buffer {
    return this.#content.bytes.subarray(offset, offset + size);
  }

  override write(_context: RequestContext, offset: number, data: Buffer): number {
    this.#content.write(offset, data);
    return data.length;
  }

  override truncate(size: number): void {
    this.#content.truncate(size);
  }
}
