import { rmdirSync, unlinkSync } from 'node:fs';
import { controlEntry } from '@cortexfs/abi/controls/registry';
import type { CortexError } from '@cortexfs/abi/errors';
import { fsyncDirectorySync } from '@cortexfs/linux/durable-write';
import { requireOwner } from '../controls/owner.ts';
import type { RequestContext } from '../file-system.ts';
import { isInstalled } from '../installed/receipt.ts';
import { controlsOf, type ObjectPlace } from '../objects/object.ts';
import { missing } from '../refuse.ts';
import type { Scope } from '../scope.ts';

/** Whether an agent is half removed: it has controls and no executable, so that it cannot run and what is left may go. */
export function isLeftOver({ world, agent }: Scope, object: ObjectPlace): boolean {
  const place = world.places.directory(object.directory);
  const exists = place === undefined || world.store.find(place, object.base) !== undefined;
  return agent === undefined && object.class === 'agent' && !exists && !isInstalled(world, object);
}

/** One control of what is left. What the runtime shows goes with the rest. */
export function removeControl(
  scope: Scope,
  context: RequestContext,
  object: ObjectPlace,
  name: string,
): void {
  const path = `${controlsOf(object)}/${name}`;
  requireOwner(scope, object, context, path);
  const { store, places } = scope.world;
  const place = places.directory(controlsOf(object));
  if (place === undefined) throw missing(controlsOf(object), name);
  if (store.find(place, name) !== undefined) unlinkSync(store.entry(place, name));
  else if (!isMadeUp(name)) throw missing(controlsOf(object), name);
}

/** Shown without being stored: `meta.json` for the receipt of the last stop. */
const isMadeUp = (name: string) => name === 'meta.json' || controlEntry('agent', name)?.dynamic === true;

/** The control directory itself, when it is empty. */
export function removeControls(
  scope: Scope,
  context: RequestContext,
  object: ObjectPlace,
  otherwise: CortexError,
): void {
  if (!isLeftOver(scope, object)) throw otherwise;
  requireOwner(scope, object, context, controlsOf(object));
  const { store, places } = scope.world;
  const place = places.directory(object.directory);
  if (place === undefined) throw otherwise;
  rmdirSync(store.entry(place, `${object.base}.d`));
  scope.world.formerOwners.delete(controlsOf(object));
  fsyncDirectorySync(store.descriptorPath(place));
}
