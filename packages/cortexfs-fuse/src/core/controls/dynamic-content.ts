import { objectStatus } from '@cortexfs/abi/controls/object-status';
import { pid as pidCodec } from '@cortexfs/abi/controls/pid';
import { status as statusCodec } from '@cortexfs/abi/controls/status';
import type { ObjectName } from '@cortexfs/abi/names';
import type { ObjectPlace } from '../objects/object.ts';
import type { World } from '../world.ts';

/** What the `status`, `pid` or `log` of an object says now. */
export function dynamicContent(world: World, object: ObjectPlace, control: string): () => string {
  const agent = object.name as ObjectName;
  if (control === 'log') return () => world.runtime.logs.tail(object.class, object.name);
  if (object.class !== 'agent')
    return () => objectStatus.format(hasExecutable(world, object) ? 'ready' : 'unavailable');
  if (control === 'pid') return () => pidCodec.format(world.runtime.pid(agent) ?? null);
  return () => statusCodec.format(world.runtime.status(agent));
}

function hasExecutable({ store, places }: World, { directory, base }: ObjectPlace): boolean {
  const place = places.directory(directory);
  return place !== undefined && store.find(place, base) !== undefined;
}
