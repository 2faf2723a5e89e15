import { isObjectName } from '@cortexfs/abi/names';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { RequestContext } from '../file-system.ts';
import type { Node } from '../node/node.ts';
import type { Scope, Sight } from '../scope.ts';
import { DIRECTORY, SYMLINK, typeOf } from '../store/mode.ts';
import { Alias } from './alias.ts';
import { ClassDirectory } from './class-directory.ts';

/** `model`, and `home/UID/model`: providers as directories, aliases as symbolic links. */
export class ModelDirectory extends ClassDirectory {
  constructor(scope: Scope, path: string) {
    super(scope, 'model', path);
  }

  protected override nodeFor(_context: RequestContext, name: string, stat: InodeStat): Node | undefined {
    const type = typeOf(Number(stat.mode));
    if (!this.lists(this.scope.look(), name, type)) return undefined;
    const path = `${this.path()}/${name}`;
    return type === DIRECTORY
      ? new ClassDirectory(this.scope, 'model', path).known()
      : new Alias(this.scope, path).known();
  }

  protected override lists(sight: Sight, name: string, type: number): boolean {
    if (!isObjectName(name)) return false;
    const path = `${this.path()}/${name}`;
    if (type === DIRECTORY) return sight.seesProvider(path);
    return type === SYMLINK && sight.seesAlias(path);
  }
}
