import { ROOT_ENTRIES } from '@cortexfs/abi/paths';
import { AgentDirectory } from '../creation/agent-directory.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import type { Node } from '../node/node.ts';
import { OpenDirectory } from '../node/open-directory.ts';
import { ClassDirectory } from '../objects/class-directory.ts';
import { ModelDirectory } from '../objects/model-directory.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { DIRECTORY, REGULAR } from '../store/mode.ts';
import { TreeDirectory } from '../tree/directory.ts';
import { treeTop } from '../tree/top.ts';
import { zoneOf } from '../tree/zone.ts';
import { DynamicFile } from './dynamic.ts';
import { Empty } from './empty.ts';
import { Projected } from './projected.ts';

/** The root of the mount and of each view: seven names, no more and no fewer. */
export class Root extends Projected {
  readonly kind: Kind = 'ctx.ordinary';

  readonly #owner: number | undefined;

  /** A view belongs to its agent's owner alone. */
  constructor(scope: Scope, owner?: number) {
    super(scope, '');
    this.#owner = owner;
  }

  attr(): Attr {
    return this.#owner === undefined
      ? this.madeUp(DIRECTORY | 0o555)
      : this.madeUp(DIRECTORY | 0o500, 0, this.#owner);
  }

  override lookup(_context: RequestContext, name: string): Node {
    switch (name as (typeof ROOT_ENTRIES)[number]) {
      case 'status':
        return new DynamicFile(this.scope, name, 'ctx.unknown', 'mount', ready).known();
      case 'agent':
      case 'tool':
        return this.#objects(name as 'agent' | 'tool');
      case 'model':
        return new ModelDirectory(this.scope, name).known();
      case 'bin':
        return this.#launchers(name);
      case 'home':
        return this.scope.home();
      case 'shared':
        return this.scope.shared();
      default:
        return this.unlisted(name);
    }
  }

  override opendir(): OpenDirectory {
    return new OpenDirectory(() =>
      ROOT_ENTRIES.map((name) => ({ name, type: name === 'status' ? REGULAR : DIRECTORY })),
    );
  }

  override fixed() {
    return refuse('EPERM', '/', 'the entries of the root are fixed');
  }

  protected unlisted(name: string): Node {
    throw this.absent(name);
  }

  #objects(objectClass: 'agent' | 'tool'): Node {
    if (objectClass === 'agent' && this.scope.agent === undefined)
      return new AgentDirectory(this.scope).known();
    return new ClassDirectory(this.scope, objectClass, objectClass).known();
  }

  #launchers(path: string): Node {
    const zone = zoneOf(this.scope, 'bin', { readOnly: 'bin holds launchers, which ctx writes' });
    return treeTop(TreeDirectory, zone, path) ?? new Empty(this.scope, path).known();
  }
}

const ready = () => 'ready\n';
