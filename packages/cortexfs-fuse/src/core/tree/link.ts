import { linkSync, unlinkSync } from 'node:fs';
import { refuse } from '../refuse.ts';
import { identityOf } from '../store/identity.ts';
import type { TreeDirectory } from './directory.ts';
import type { TreeItem } from './item.ts';

/** Makes a hard link by name, then proves that it is one to the inode that was meant, and takes it back otherwise. */
export function linkInto(directory: TreeDirectory, item: TreeItem, name: string): void {
  const { store } = directory.zone.world;
  item.attr();
  const { parent, name: oldName, identity } = item.location;
  if (parent === undefined) throw refuse('EPERM', item.path(), 'a directory cannot have another name');
  const link = store.entry(directory.location, name);
  linkSync(store.entry(parent, oldName), link);
  const stat = store.find(directory.location, name);
  if (stat !== undefined && identityOf(stat) === identity) return;
  unlinkSync(link);
  throw refuse('ESTALE', item.path(), 'it was replaced or removed', { layer: 'store' });
}
