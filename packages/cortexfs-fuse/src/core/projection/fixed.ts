import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import type { Node } from '../node/node.ts';
import { OpenDirectory } from '../node/open-directory.ts';
import type { Scope } from '../scope.ts';
import { DIRECTORY } from '../store/mode.ts';
import { Projected } from './projected.ts';

/** A directory with given subdirectories. One whose node is undefined is not there at the moment. */
export class Fixed extends Projected {
  readonly kind: Kind = 'ctx.home.dir';
  readonly #entries: Readonly<Record<string, () => Node | undefined>>;

  constructor(scope: Scope, path: string, entries: Readonly<Record<string, () => Node | undefined>>) {
    super(scope, path);
    this.#entries = entries;
  }

  attr(): Attr {
    return this.madeUp(DIRECTORY | 0o555);
  }

  override lookup(_context: RequestContext, name: string): Node {
    const node = Object.hasOwn(this.#entries, name) ? this.#entries[name]?.() : undefined;
    if (node === undefined) throw this.absent(name);
    return node;
  }

  override opendir(): OpenDirectory {
    return new OpenDirectory(() =>
      Object.entries(this.#entries)
        .filter(([, make]) => make() !== undefined)
        .map(([name]) => ({ name, type: DIRECTORY })),
    );
  }
}
