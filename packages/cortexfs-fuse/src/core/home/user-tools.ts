import { EXEC_PLACE } from '@cortexfs/abi/paths';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import { ControlDirectory } from '../controls/directory.ts';
import type { RequestContext } from '../file-system.ts';
import { ExecPlace } from '../installed/exec-place.ts';
import { isInstalled } from '../installed/receipt.ts';
import type { Node } from '../node/node.ts';
import { Executable } from '../objects/executable.ts';
import { objectIn, partOf } from '../objects/object.ts';
import { refuse } from '../refuse.ts';
import { DIRECTORY, REGULAR, typeOf } from '../store/mode.ts';
import { type DirectoryChange, TreeDirectory } from '../tree/directory.ts';

/** `home/UID/tool`: installed tools are projected as everywhere; what the user puts there themselves are ordinary files. */
export class UserTools extends TreeDirectory {
  override lookup(context: RequestContext, name: string): Node {
    if (name !== EXEC_PLACE) return super.lookup(context, name);
    return new ExecPlace(this.zone.scope, 'tool', this.path()).known();
  }

  protected override requireChange(change: DirectoryChange, name: string, context: RequestContext): void {
    super.requireChange(change, name, context);
    if (this.hides(name)) throw refuse('EPERM', `${this.path()}/${name}`, 'the name is reserved');
    const base = partOf(name)?.base;
    if (base !== undefined && this.#isManaged(base))
      throw refuse(
        'EPERM',
        `${this.path()}/${name}`,
        'an installed tool is not made, moved or removed as a file',
        {
          hint: `ctx object uninstall tool ${base}`,
        },
      );
  }

  protected override adopt(name: string, stat: InodeStat): Node {
    const { scope } = this.zone;
    const type = typeOf(Number(stat.mode));
    const part = partOf(name);
    if (part === undefined || !this.#isManaged(part.base)) return super.adopt(name, stat);
    const object = objectIn('tool', this.path(), part.base);
    if (part.part === 'exec' && type === REGULAR) return new Executable(scope, object).known();
    if (part.part === 'controls' && type === DIRECTORY) return new ControlDirectory(scope, object).known();
    return super.adopt(name, stat);
  }

  /** Stages and quarantines of the installer are its own affair. */
  protected override hides(name: string): boolean {
    return name === EXEC_PLACE || name.startsWith('.cortexfs-') || super.hides(name);
  }

  #isManaged(base: string): boolean {
    return isInstalled(this.zone.world, objectIn('tool', this.path(), base));
  }
}
