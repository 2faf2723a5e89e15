import { EXEC_PLACE } from '@cortexfs/abi/paths';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import type { Node } from '../node/node.ts';
import { OpenDirectory } from '../node/open-directory.ts';
import { objectIn, partOf } from '../objects/object.ts';
import { Projected } from '../projection/projected.ts';
import type { Scope } from '../scope.ts';
import { DIRECTORY } from '../store/mode.ts';
import { Artifact } from './artifact.ts';
import { isInstalled } from './receipt.ts';

/**
 * `.exec` beside objects, unlisted: the artifacts of installed ones by name, for the runner to execute (docs/plugins.md). What
 * a view does not show has none there, and an agent has only its own among agents.
 */
export class ExecPlace extends Projected {
  readonly kind: Kind = 'ctx.unknown';
  readonly #class: 'agent' | 'tool';
  readonly #directory: string;

  constructor(scope: Scope, objectClass: 'agent' | 'tool', directory: string) {
    super(scope, `${directory}/${EXEC_PLACE}`);
    this.#class = objectClass;
    this.#directory = directory;
  }

  attr(): Attr {
    return this.madeUp(DIRECTORY | 0o111);
  }

  override lookup(_context: RequestContext, name: string): Node {
    if (partOf(name)?.part !== 'exec') throw this.absent(name);
    const object = objectIn(this.#class, this.#directory, name);
    const { agent, world } = this.scope;
    const foreign = this.#class === 'agent' && agent !== undefined && agent !== name;
    if (foreign || !this.scope.look().sees(object) || !isInstalled(world, object)) throw this.absent(name);
    return new Artifact(this.scope, object, `${this.path()}/${name}`).known();
  }

  override opendir(): OpenDirectory {
    return new OpenDirectory(() => []);
  }
}
