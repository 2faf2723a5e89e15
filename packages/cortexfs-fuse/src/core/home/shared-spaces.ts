import { isObjectName } from '@cortexfs/abi/names';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { RequestContext } from '../file-system.ts';
import type { Node } from '../node/node.ts';
import { refuse } from '../refuse.ts';
import { DIRECTORY, typeOf } from '../store/mode.ts';
import { type DirectoryChange, TreeDirectory } from '../tree/directory.ts';
import { subzone, type Zone } from '../tree/zone.ts';

/** `shared`: one directory a space; inside, modes decide. */
export class SharedSpaces extends TreeDirectory {
  protected override requireChange(change: DirectoryChange, _name: string, context: RequestContext): void {
    this.requireWritable(context);
    if (change !== 'mkdir' && change !== 'rmdir')
      throw refuse(
        'EPERM',
        this.path(),
        'it holds shared spaces, which are directories that stay where they are',
      );
  }

  protected override adopt(name: string, stat: InodeStat): Node {
    if (typeOf(Number(stat.mode)) !== DIRECTORY) throw this.absent(name);
    return this.adoptAs(TreeDirectory, name, stat, this.spaceZone(name));
  }

  protected spaceZone(name: string): Zone {
    return subzone(this.zone, name);
  }

  protected override hides(name: string): boolean {
    return !isObjectName(name);
  }
}
