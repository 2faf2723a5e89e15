import type { Ttl } from '../node/node.ts';
import { Projected } from '../projection/projected.ts';
import type { Scope } from '../scope.ts';
import type { Skeleton } from './skeleton.ts';

/** A part of an agent that is being made. */
export abstract class SkeletonNode extends Projected {
  readonly skeleton: Skeleton;

  constructor(scope: Scope, skeleton: Skeleton, path: string) {
    super(scope, path);
    this.skeleton = skeleton;
  }

  /** One that was begun again under the same name is another. */
  override known(): this {
    const known = super.known();
    return known.skeleton === this.skeleton ? known : this;
  }

  /** Others must not learn of it from what the kernel remembers. */
  override get ttl(): Ttl {
    return { entry: 0, attr: 0 };
  }
}
