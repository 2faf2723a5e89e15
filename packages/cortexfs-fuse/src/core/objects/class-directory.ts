import type { ObjectClass } from '@cortexfs/abi/controls/registry';
import { EXEC_PLACE } from '@cortexfs/abi/paths';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import { ControlDirectory } from '../controls/directory.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import { ExecPlace } from '../installed/exec-place.ts';
import type { Kind } from '../node/kind.ts';
import type { Node } from '../node/node.ts';
import { type Listed, OpenDirectory } from '../node/open-directory.ts';
import { Projected } from '../projection/projected.ts';
import { refuse } from '../refuse.ts';
import type { Scope, Sight } from '../scope.ts';
import type { Location } from '../store/location.ts';
import { DIRECTORY, REGULAR, SOCKET, SYMLINK, typeOf } from '../store/mode.ts';
import { listedType } from '../tree/listed-type.ts';
import { Alias } from './alias.ts';
import { Executable } from './executable.ts';
import { type ObjectPlace, objectIn, partOf } from './object.ts';
import { createSocketAlias, removeSocketAlias, SocketAlias } from './socket-alias.ts';

/** A directory of objects of one class: `agent`, `tool`, `model/PROVIDER`, `home/UID/tool`. */
export class ClassDirectory extends Projected {
  readonly kind: Kind = 'ctx.ordinary';
  readonly class: ObjectClass;

  constructor(scope: Scope, objectClass: ObjectClass, path: string) {
    super(scope, path);
    this.class = objectClass;
  }

  attr(): Attr {
    const mode = DIRECTORY | this.#permissions();
    const { store } = this.scope.world;
    const place = this.place();
    return place ? this.shown(store.stat(place), mode) : this.madeUp(mode);
  }

  override lookup(context: RequestContext, name: string): Node {
    if (name === EXEC_PLACE && this.class !== 'model')
      return new ExecPlace(this.scope, this.class, this.path()).known();
    const place = this.place();
    const stat = place && this.scope.world.store.find(place, name);
    const node = stat && this.nodeFor(context, name, stat);
    if (node === undefined) throw this.absent(name);
    return node;
  }

  override opendir(context: RequestContext): OpenDirectory {
    return new OpenDirectory(() => this.list(context));
  }

  /** The only thing that can be made here is an agent's own socket alias. */
  override symlink(context: RequestContext, name: string, target: string): Node {
    if (!this.takesSockets() || partOf(name)?.part !== 'socket') throw this.fixed();
    createSocketAlias(this.scope, context, this.object(name), target);
    return this.lookup(context, name);
  }

  override unlink(context: RequestContext, name: string): void {
    if (!this.takesSockets() || partOf(name)?.part !== 'socket') throw this.fixed();
    removeSocketAlias(this.scope, context, this.object(name));
  }

  override fixed() {
    return refuse('EPERM', this.path(), `${this.class} objects are not made or removed here`, {
      hint: this.class === 'agent' ? 'ctx agent new' : 'ctx object install',
    });
  }

  protected place(): Location | undefined {
    return this.scope.world.places.directory(this.path());
  }

  protected nodeFor(_context: RequestContext, name: string, stat: InodeStat): Node | undefined {
    const part = partOf(name)?.part;
    if (part === undefined) return undefined;
    const object = this.object(name);
    if (!this.scope.look().sees(object)) return undefined;
    const type = typeOf(Number(stat.mode));
    if (part === 'controls') return type === DIRECTORY ? this.#controls(object) : undefined;
    if (part === 'socket') return this.#socket(object, type);
    if (type === REGULAR) return this.#executable(object);
    return type === SYMLINK ? new Alias(this.scope, `${this.path()}/${name}`).known() : undefined;
  }

  protected list(_context: RequestContext): Listed[] {
    const place = this.place();
    if (place === undefined) return [];
    const sight = this.scope.look();
    return this.scope.world.store
      .list(place)
      .map((entry) => ({ name: entry.name, type: listedType(entry) }))
      .filter(({ name, type }) => this.lists(sight, name, type));
  }

  /** Decided from name and type alone, as `nodeFor` would. */
  protected lists(sight: Sight, name: string, type: number): boolean {
    const part = partOf(name)?.part;
    if (part === undefined || !sight.sees(this.object(name))) return false;
    if (part === 'controls') return type === DIRECTORY;
    if (part === 'socket') return this.scope.agent === undefined && (type === SYMLINK || type === SOCKET);
    return type === REGULAR || type === SYMLINK;
  }

  protected takesSockets(): boolean {
    return this.class === 'agent' && this.scope.agent === undefined;
  }

  #permissions(): number {
    if (this.scope.agent !== undefined) return 0o555;
    return this.takesSockets() && this.scope.world.allowOther ? 0o1777 : 0o755;
  }

  protected object(name: string): ObjectPlace {
    return objectIn(this.class, this.path(), partOf(name)?.base ?? name);
  }

  #executable(object: ObjectPlace): Node {
    return new Executable(this.scope, object).known();
  }

  #controls(object: ObjectPlace): Node {
    return new ControlDirectory(this.scope, object).known();
  }

  /** A view shows no sockets: their targets are places of the host. */
  #socket(object: ObjectPlace, type: number): Node | undefined {
    if (this.scope.agent !== undefined || (type !== SYMLINK && type !== SOCKET)) return undefined;
    return new SocketAlias(this.scope, object).known();
  }
}
