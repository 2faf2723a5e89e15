import type { RequestContext } from '../file-system.ts';
import type { Node } from '../node/node.ts';
import { refuse } from '../refuse.ts';
import { type DirectoryChange, TreeDirectory } from '../tree/directory.ts';
import { treeTop } from '../tree/top.ts';
import type { Zone } from '../tree/zone.ts';

/** The `hooks` of an agent or tool; undefined when it has none. */
export function hooksAt(zone: Zone, path: string): Node | undefined {
  return treeTop(Hooks, zone, path);
}

/** Two directories, `pre.d` and `post.d`, with ordinary files that can be executed. */
class Hooks extends TreeDirectory {
  protected override requireChange(change: DirectoryChange, name: string, context: RequestContext): void {
    super.requireChange(change, name, context);
    if ((change !== 'mkdir' && change !== 'rmdir') || !PHASES.includes(name))
      throw refuse('EPERM', `${this.path()}/${name}`, 'hooks are files in pre.d and post.d', {
        layer: 'hook',
      });
  }
}

const PHASES = ['pre.d', 'post.d'];
