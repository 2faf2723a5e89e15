import { readlinkSync } from 'node:fs';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { Attr } from '../file-system.ts';
import type { Kind, Storage } from '../node/kind.ts';
import { Projected } from '../projection/projected.ts';
import { refuse } from '../refuse.ts';
import type { Location } from '../store/location.ts';
import { SYMLINK, typeOf } from '../store/mode.ts';

/** A symbolic link among objects, such as `model/main`: its target is the object's identity. */
export class Alias extends Projected {
  readonly kind: Kind = 'ctx.symlink';
  override readonly origin = 'store';
  override readonly storage: Storage = 'bytes';

  attr(): Attr {
    return this.shown(this.find().stat, SYMLINK | 0o777);
  }

  override readlink(): string {
    const { directory, name } = this.find();
    return readlinkSync(this.scope.world.store.entry(directory, name));
  }

  protected find(): { directory: Location; name: string; stat: InodeStat } {
    const { store, places } = this.scope.world;
    const slash = this.path().lastIndexOf('/');
    const name = this.path().slice(slash + 1);
    const directory = places.directory(this.path().slice(0, slash));
    const stat = directory && store.find(directory, name);
    if (directory === undefined || stat === undefined || typeOf(Number(stat.mode)) !== SYMLINK)
      throw refuse('ESTALE', this.path(), 'the alias is gone');
    return { directory, name, stat };
  }
}
