import { readlinkSync } from 'node:fs';
import { refuse } from '../refuse.ts';
import { TreeItem } from './item.ts';

/** A symbolic link, which only the client's kernel follows. */
export class TreeSymlink extends TreeItem {
  override readlink(): string {
    const { store } = this.zone.world;
    store.stat(this.location);
    const { parent, name } = this.location;
    if (parent === undefined) throw refuse('EINVAL', this.path(), 'not a symbolic link');
    return readlinkSync(store.entry(parent, name));
  }
}
