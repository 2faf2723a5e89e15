import type { InodeStat } from '@cortexfs/linux/stat-at';
import { attrOf } from '../attributes.ts';
import type { PassedThrough } from '../file/passed-through.ts';
import type { Attr, AttrChange, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import { Node, type Ttl } from '../node/node.ts';
import type { OpenFile } from '../node/open-file.ts';
import { refuse } from '../refuse.ts';
import { Location } from '../store/location.ts';
import { DIRECTORY, REGULAR, typeOf } from '../store/mode.ts';
import { changeAttributes } from './change.ts';
import { kindAt } from './kind-at.ts';
import type { Zone } from './zone.ts';

/** An inode of an ordinary subtree. By itself it is a socket, a pipe or the like: it has attributes and no content. */
export class TreeItem extends Node {
  readonly zone: Zone;
  readonly origin = 'store';
  readonly storage = 'bytes';
  /** Its open files keep an inode reachable that has lost every name. */
  protected readonly opens = new Set<PassedThrough>();
  /** Its known names, the one used last first. */
  readonly #places: Location[];
  /** What it was when its last name went, for those who still hold it without having it open: a working directory. */
  #lost: Attr | undefined;
  readonly #type: number;

  constructor(zone: Zone, key: string, location: Location, stat: InodeStat) {
    super(key);
    this.zone = zone;
    this.#places = [location];
    this.#type = typeOf(Number(stat.mode));
  }

  get location(): Location {
    return this.#places[0]!;
  }

  /** Sizes of regular files may change behind the mount, where programs append to the store directly. */
  get ttl(): Ttl {
    const { ttl } = this.zone.scope;
    return { entry: ttl, attr: this.#type === REGULAR ? 0 : ttl };
  }

  get kind(): Kind {
    return kindAt(this.path(), this.#type);
  }

  path(): string {
    return this.location.path();
  }

  attr(): Attr {
    if (this.#lost !== undefined && this.opens.size === 0) return this.#lost;
    const attr = this.reach(
      (location) => attrOf(this.zone.world.store.stat(location)),
      (open) => open.attr(),
    );
    const owner = this.zone.owner?.();
    return owner === undefined ? attr : { ...attr, uid: owner };
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  override setattr(context: RequestContext, change: AttrChange, file?: OpenFile): void {
    this.requireWritable(context);
    changeAttributes(this, context, change, file);
  }

  /** Runs `use` on a descriptor of this very inode, O_PATH or better. */
  pinned<T>(use: (fd: number) => T): T {
    return this.reach(
      (location) => this.zone.world.store.pinned(location, use),
      (open) => use(open.fd),
    );
  }

  /** It has been seen under this name. */
  learn(parent: Location, name: string): void {
    const at = this.#places.findIndex((place) => place.isAt(parent, name));
    if (at === 0) return;
    const [place] =
      at > 0 ? this.#places.splice(at, 1) : [new Location(parent, name, this.location.identity)];
    this.#places.unshift(place!);
  }

  /** It has lost this name. The last one is kept for messages. */
  unlearn(parent: Location, name: string): void {
    const at = this.#places.findIndex((place) => place.isAt(parent, name));
    if (at >= 0 && this.#places.length > 1) this.#places.splice(at, 1);
  }

  /** A name has been taken away; `before` is what the store said then. */
  loseName(parent: Location, name: string, before: InodeStat): void {
    this.unlearn(parent, name);
    if (this.#type === DIRECTORY || before.nlink === 1n) this.#lost = { ...attrOf(before), nlink: 0 };
  }

  requireWritable({ uid }: RequestContext): void {
    const { readOnly, owner } = this.zone;
    if (readOnly !== undefined) throw refuse('EROFS', this.path(), readOnly);
    const only = owner?.();
    if (owner !== undefined && uid !== only && uid !== 0)
      throw refuse('EACCES', this.path(), `it belongs to uid ${only ?? 0}, not to uid ${uid}`, {
        layer: 'credentials',
      });
  }

  /** Tries every known name, then the open descriptors. */
  protected reach<T>(byName: (location: Location) => T, byOpenFile: (open: PassedThrough) => T): T {
    for (const location of [...this.#places]) {
      try {
        return byName(location);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    const [open] = this.opens;
    if (open !== undefined) return byOpenFile(open);
    throw refuse('ESTALE', this.path(), 'it was replaced or removed', { layer: 'store' });
  }
}

function isGone(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ESTALE' || code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}
