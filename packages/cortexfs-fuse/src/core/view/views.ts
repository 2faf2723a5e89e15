import { isObjectName } from '@cortexfs/abi/names';
import { requireOwner } from '../controls/owner.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import type { Node } from '../node/node.ts';
import { OpenDirectory } from '../node/open-directory.ts';
import { objectIn } from '../objects/object.ts';
import { Projected } from '../projection/projected.ts';
import { Root } from '../projection/root.ts';
import type { Scope } from '../scope.ts';
import { DIRECTORY } from '../store/mode.ts';
import { ViewScope } from './scope.ts';

/** `.view`: the views by agent, for whoever knows the name and owns the agent. */
export class Views extends Projected {
  static readonly NAME = '.view';
  readonly kind: Kind = 'ctx.unknown';

  constructor(scope: Scope) {
    super(scope, Views.NAME);
  }

  attr(): Attr {
    return this.madeUp(DIRECTORY | 0o511);
  }

  override lookup(context: RequestContext, name: string): Node {
    if (!isObjectName(name)) throw this.absent(name);
    const agent = objectIn('agent', 'agent', name);
    const owner = requireOwner(this.scope, agent, context, `${this.path()}/${name}`);
    return new Root(new ViewScope(this.scope.world, name, owner), owner).known();
  }

  override opendir(): OpenDirectory {
    return new OpenDirectory(() => []);
  }
}
