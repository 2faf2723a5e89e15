import { objectStatus } from '@cortexfs/abi/controls/object-status';
import { pid as pidCodec } from '@cortexfs/abi/controls/pid';
import { status as statusCodec } from '@cortexfs/abi/controls/status';
import type { ObjectName } from '@cortexfs/abi/names';
import type { ObjectPlace } from '../objects/object.ts';
import type { World } from '../world.ts';
import { ownerOf } from './owner.ts';

/** What the `status`, `pid` or `log` of an object says now. */
export function dynamicContent(world: World, object: ObjectPlace, control: string): () => string {
  const agent = object.name as ObjectName;
  if (control === 'log') return () => world.runtimes.logs.tail(object.class, object.name);
  if (object.class !== 'agent')
    return () => objectStatus.format(hasExecutable(world, object) ? 'ready' : 'unavailable');
  const runtime = () => {
    const owner = ownerOf({ world }, object);
    return owner === undefined ? undefined : world.runtimes.of(owner);
  };
  if (control === 'pid') return () => pidCodec.format(runtime()?.pid(agent) ?? null);
  return () => statusCodec.format(runtime()?.status(agent) ?? 'dead');
}

function hasExecutable({ store, places }: World, { directory, base }: ObjectPlace): boolean {
  const place = places.directory(directory);
  return place !== undefined && store.find(place, base) !== undefined;
}
