import { examine, pathOf, release } from '../object/installed.ts';
import type { Target } from '../object/target.ts';
import { ClassDirectory } from '../place/class-directory.ts';
import { holdingPlace } from '../place/held.ts';
import type { ObjectFacts } from '../report/object.ts';
import { type Watcher, watchBytes } from '../step/watcher.ts';

/** Verifies an installed object by its receipt and tells what it is; changes nothing (docs/object-installer.md). */
export async function inspect(source: string, target: Target, watcher: Watcher = {}): Promise<ObjectFacts> {
  const open = (store: number) => new ClassDirectory(store, target.tier, target.class);
  return await holdingPlace(source, open, async (place) => {
    const installed = await examine(place, target, watchBytes(watcher, 'verifying'));
    const { receipt, executable } = installed;
    release(installed);
    return { path: pathOf(place, target), receipt, size: Number(executable.status.size) };
  });
}
