import { Snapshot } from '../file/snapshot.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind, Origin } from '../node/kind.ts';
import type { Ttl } from '../node/node.ts';
import type { OpenFile } from '../node/open-file.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { REGULAR, writes } from '../store/mode.ts';
import { Projected } from './projected.ts';

/** A small file whose content is made when it is read. Nobody can write it, root included. */
export class DynamicFile extends Projected {
  override readonly origin: Origin;
  override readonly storage = 'memory';
  readonly kind: Kind;
  readonly #content: () => string;
  readonly #readers = new Set<Snapshot>();
  readonly #reader: (() => number | undefined) | undefined;

  /** `reader`: the one uid besides root's for whom it is; everybody's without. */
  constructor(
    scope: Scope,
    path: string,
    kind: Kind,
    origin: Origin,
    content: () => string,
    reader?: () => number | undefined,
  ) {
    super(scope, path);
    this.kind = kind;
    this.origin = origin;
    this.#content = content;
    this.#reader = reader;
  }

  override get ttl(): Ttl {
    return { entry: this.scope.ttl, attr: 0 };
  }

  /** Never smaller than what somebody is reading: programs that trust the size would lose the end of it. */
  attr(): Attr {
    const mode = this.#reader === undefined ? 0o444 : 0o400;
    const sizes = [...this.#readers].map(({ size }) => size);
    const size = Math.max(Buffer.byteLength(this.#content()), ...sizes);
    return this.madeUp(REGULAR | mode, size, this.#reader?.());
  }

  override open(_context: RequestContext, flags: number): OpenFile {
    if (writes(flags)) throw this.fixed();
    const snapshot = new Snapshot(this.path(), Buffer.from(this.#content()), (closed) =>
      this.#readers.delete(closed),
    );
    this.#readers.add(snapshot);
    return snapshot;
  }

  override fixed() {
    return refuse('EROFS', this.path(), 'it shows a state and cannot be written');
  }
}
