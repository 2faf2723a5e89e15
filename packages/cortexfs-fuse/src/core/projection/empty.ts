import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import { OpenDirectory } from '../node/open-directory.ts';
import { DIRECTORY } from '../store/mode.ts';
import { Projected } from './projected.ts';

/** A directory of the root that the store does not have: the root's shape is frozen all the same. */
export class Empty extends Projected {
  readonly kind: Kind = 'ctx.ordinary';

  attr(): Attr {
    return this.madeUp(DIRECTORY | 0o555);
  }

  override lookup(_context: RequestContext, name: string): never {
    throw this.absent(name);
  }

  override opendir(): OpenDirectory {
    return new OpenDirectory(() => []);
  }
}
