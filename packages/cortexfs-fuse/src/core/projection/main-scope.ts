import { Homes } from '../home/homes.ts';
import { SharedSpaces } from '../home/shared-spaces.ts';
import type { Scope, Sight } from '../scope.ts';
import { treeTop } from '../tree/top.ts';
import { zoneOf } from '../tree/zone.ts';
import type { World } from '../world.ts';
import { Empty } from './empty.ts';

const everything: Sight = { sees: () => true, seesProvider: () => true, seesAlias: () => true };

/** The mount itself: every object is there, and what is unchanged may be remembered for a second. */
export function mainScope(world: World): Scope {
  const scope: Scope = {
    id: '',
    world,
    ttl: 1000,
    look: () => everything,
    home: () => treeTop(Homes, zoneOf(scope, 'home'), 'home') ?? new Empty(scope, 'home').known(),
    shared: () =>
      treeTop(SharedSpaces, zoneOf(scope, 'shared'), 'shared') ?? new Empty(scope, 'shared').known(),
  };
  return scope;
}
