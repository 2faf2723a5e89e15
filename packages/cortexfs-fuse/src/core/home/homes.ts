import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Node } from '../node/node.ts';
import { refuse } from '../refuse.ts';
import { DIRECTORY, typeOf } from '../store/mode.ts';
import { type DirectoryChange, TreeDirectory } from '../tree/directory.ts';
import { UserHome } from './user-home.ts';
import { homeZone } from './zone.ts';

/** `home`: one directory a uid. Users make their own and nothing else. */
export class Homes extends TreeDirectory {
  override attr(): Attr {
    const attr = super.attr();
    return this.zone.world.allowOther ? { ...attr, mode: DIRECTORY | 0o1777 } : attr;
  }

  override mkdir(context: RequestContext, name: string, _mode: number): Node {
    return super.mkdir(context, name, 0o700);
  }

  protected override requireChange(change: DirectoryChange, name: string, context: RequestContext): void {
    if (change !== 'mkdir' || name !== String(context.uid))
      throw refuse('EPERM', this.path(), 'it holds one home directory a user, named by uid');
  }

  protected override adopt(name: string, stat: InodeStat): Node {
    if (typeOf(Number(stat.mode)) !== DIRECTORY) throw this.absent(name);
    return this.adoptAs(UserHome, name, stat, homeZone(this.zone, Number(name)));
  }

  protected override hides(name: string): boolean {
    return !/^(0|[1-9][0-9]{0,9})$/.test(name);
  }
}
