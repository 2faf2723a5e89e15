import type { Node } from '../node/node.ts';
import { Empty } from '../projection/empty.ts';
import type { Scope, Sight } from '../scope.ts';
import { treeTop } from '../tree/top.ts';
import { zoneOf } from '../tree/zone.ts';
import type { World } from '../world.ts';
import { viewHomes } from './homes.ts';
import { AgentSight } from './sight.ts';
import { VisibleSpaces } from './visible-spaces.ts';

/** One agent's view. It holds no state: each lookup and listing is decided from the controls as they are then. */
export class ViewScope implements Scope {
  readonly id: string;
  readonly world: World;
  readonly agent: string;
  readonly owner: number;
  readonly ttl = 0;

  constructor(world: World, agent: string, owner: number) {
    this.id = `view:${agent}`;
    this.world = world;
    this.agent = agent;
    this.owner = owner;
  }

  look(): Sight {
    return new AgentSight(this.world, this.agent);
  }

  home(): Node {
    return viewHomes(this);
  }

  shared(): Node {
    const zone = zoneOf(this, 'shared', { readOnly: 'spaces are not made from inside a view' });
    return treeTop(VisibleSpaces, zone, 'shared') ?? new Empty(this, 'shared').known();
  }
}
