import { owner as ownerCodec } from '@cortexfs/abi/controls/owner';
import type { RequestContext } from '../file-system.ts';
import { controlsOf, type ObjectPlace } from '../objects/object.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';

/** The uid that owns an object: the agent's `owner` control, also while it is being removed, else who owns its control directory in the store. */
export function ownerOf({ world }: Pick<Scope, 'world'>, object: ObjectPlace): number | undefined {
  const path = controlsOf(object);
  const place = world.places.directory(path);
  if (place === undefined) return undefined;
  const owner = world.formerOwners.get(path) ?? Number(world.store.stat(place).uid);
  return object.class === 'agent' ? world.controls.loadOr(path, 'owner', ownerCodec, owner) : owner;
}

/** The owner, when the caller is that or uid 0; EACCES otherwise. */
export function requireOwner(
  scope: Scope,
  object: ObjectPlace,
  context: RequestContext,
  path: string,
): number {
  const owner = ownerOf(scope, object);
  if (owner === undefined) throw refuse('ENOENT', path, `there is no ${object.class} ${object.name}`);
  if (context.uid === owner || context.uid === 0) return owner;
  throw refuse('EACCES', path, `it belongs to uid ${owner}, not to uid ${context.uid}`, {
    layer: 'credentials',
  });
}
