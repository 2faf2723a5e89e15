import { identityOf } from '../store/identity.ts';
import { Location } from '../store/location.ts';
import type { TreeDirectory } from './directory.ts';
import { treeKey } from './key.ts';
import type { Zone } from './zone.ts';

type DirectoryClass<T extends TreeDirectory> = new (
  ...args: ConstructorParameters<typeof TreeDirectory>
) => T;

/** The directory at a fixed path of the store, as the top of a zone; undefined when there is none. */
export function treeTop<T extends TreeDirectory>(
  type: DirectoryClass<T>,
  zone: Zone,
  path: string,
): T | undefined {
  const { places, store, nodes } = zone.world;
  const place = places.directory(path);
  if (place?.parent === undefined) return undefined;
  const stat = store.stat(place);
  const identity = identityOf(stat);
  const key = treeKey(zone, identity);
  const location = new Location(place.parent, place.name, identity);
  return nodes.intern(key, type, () => new type(zone, key, location, stat));
}
