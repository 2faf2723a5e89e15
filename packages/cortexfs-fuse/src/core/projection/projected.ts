import type { InodeStat } from '@cortexfs/linux/stat-at';
import { attrOf, madeUp } from '../attributes.ts';
import type { Attr } from '../file-system.ts';
import type { Origin, Storage } from '../node/kind.ts';
import { Node, type Ttl } from '../node/node.ts';
import type { Scope } from '../scope.ts';

/** Something that the mount shows at a fixed path, whatever inode stands behind it at the moment. */
export abstract class Projected extends Node {
  readonly scope: Scope;
  readonly #path: string;
  readonly origin: Origin = 'mount';
  readonly storage: Storage = 'projection';

  /** `which` tells apart what has been at the same path one after the other. */
  constructor(scope: Scope, path: string, which = '') {
    super(projectedKey(scope, path, which));
    this.scope = scope;
    this.#path = path;
  }

  path(): string {
    return this.#path;
  }

  get ttl(): Ttl {
    return { entry: this.scope.ttl, attr: this.scope.ttl };
  }

  /** This node, or the one that the kernel knows already at this path. */
  known(): this {
    const known = this.scope.world.nodes.find(this.key);
    return known instanceof Projected && known.constructor === this.constructor ? (known as this) : this;
  }

  /** Attributes of what stands in the store, with other permission bits. */
  protected shown(stat: InodeStat, mode: number, uid?: number): Attr {
    const attr = attrOf(stat);
    return { ...attr, mode, uid: uid ?? attr.uid };
  }

  protected madeUp(mode: number, bytes = 0, uid = this.scope.world.self.uid): Attr {
    const { self, since } = this.scope.world;
    return madeUp(`${this.scope.id}/${this.#path}`, { mode, uid, gid: self.gid }, since, bytes);
  }
}

export const projectedKey = (scope: Scope, path: string, which = '') => `${scope.id}|/${path}${which}`;
