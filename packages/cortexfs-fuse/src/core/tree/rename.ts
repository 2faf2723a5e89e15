import { renameSync } from 'node:fs';
import { renameExchange, renameNoReplace } from '@cortexfs/linux/rename';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import { refuse } from '../refuse.ts';
import { identityOf } from '../store/identity.ts';
import type { TreeDirectory } from './directory.ts';
import { TreeItem } from './item.ts';
import { treeKey } from './key.ts';

const NOREPLACE = 1;
const EXCHANGE = 2;

/** Renames in the store, then tells the moved nodes where they are now. */
export function renameBetween(
  from: TreeDirectory,
  name: string,
  to: TreeDirectory,
  newName: string,
  flags: number,
): void {
  const { store } = from.zone.world;
  const source = store.entry(from.location, name);
  const target = store.entry(to.location, newName);
  const replaced = flags === 0 ? to.knownAt(newName) : undefined;
  if (flags === 0) renameSync(source, target);
  else if (flags === NOREPLACE) renameNoReplace(source, target);
  else if (flags === EXCHANGE) renameExchange(source, target);
  else throw refuse('EINVAL', from.path(), `rename flags ${flags} are not supported`);
  if (replaced && isGone(replaced.stat, to, newName))
    replaced.node.loseName(to.location, newName, replaced.stat);
  moved(from, name, to, newName);
  if (flags === EXCHANGE) moved(to, newName, from, name);
}

/** Renaming one name of an inode onto another of its names does nothing. */
function isGone(before: InodeStat, directory: TreeDirectory, name: string): boolean {
  const now = directory.zone.world.store.find(directory.location, name);
  return now === undefined || identityOf(now) !== identityOf(before);
}

function moved(from: TreeDirectory, name: string, to: TreeDirectory, newName: string): void {
  const { store, nodes } = from.zone.world;
  const stat = store.find(to.location, newName);
  const node = stat && nodes.find(treeKey(from.zone, identityOf(stat)));
  if (!(node instanceof TreeItem)) return;
  node.learn(to.location, newName);
  node.unlearn(from.location, name);
}
