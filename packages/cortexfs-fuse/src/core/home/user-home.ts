import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { Attr, AttrChange, RequestContext } from '../file-system.ts';
import type { Node } from '../node/node.ts';
import type { OpenDirectory } from '../node/open-directory.ts';
import type { OpenFile } from '../node/open-file.ts';
import { refuse } from '../refuse.ts';
import { DIRECTORY, typeOf } from '../store/mode.ts';
import { type DirectoryChange, TreeDirectory } from '../tree/directory.ts';
import { UserTools } from './user-tools.ts';

/** `home/UID`: that user's files. Nobody else gets in, whatever the store's mode says. */
export class UserHome extends TreeDirectory {
  override attr(): Attr {
    const attr = super.attr();
    return { ...attr, mode: attr.mode & ~0o077 };
  }

  /** The store may be open to others as well: what the mount would hide must not be said there. */
  override setattr(context: RequestContext, change: AttrChange, file?: OpenFile): void {
    const { mode } = change;
    super.setattr(context, mode === undefined ? change : { ...change, mode: mode & ~0o077 }, file);
  }

  override lookup(context: RequestContext, name: string): Node {
    this.#requireUser(context);
    return super.lookup(context, name);
  }

  override opendir(context: RequestContext): OpenDirectory {
    this.#requireUser(context);
    return super.opendir(context);
  }

  /** Where objects and agent homes stand is fixed: elsewhere their bytes would be ordinary files. */
  protected override requireChange(change: DirectoryChange, name: string, context: RequestContext): void {
    super.requireChange(change, name, context);
    if (change === 'rename' && FIXED.includes(name))
      throw refuse('EPERM', `${this.path()}/${name}`, 'its place in a home is fixed');
  }

  protected override adopt(name: string, stat: InodeStat): Node {
    return name === 'tool' && typeOf(Number(stat.mode)) === DIRECTORY
      ? this.adoptAs(UserTools, name, stat)
      : super.adopt(name, stat);
  }

  #requireUser(context: RequestContext): void {
    if (context.uid !== 0 && String(context.uid) !== this.location.name)
      throw refuse('EACCES', this.path(), `uid ${context.uid} may not enter another user's home`, {
        layer: 'credentials',
      });
  }
}

const FIXED = ['agent', 'model', 'tool'];
