import { setFileTimes } from '@cortexfs/linux/file-times';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import { withContent } from '../attributes.ts';
import { ownerOf, requireOwner } from '../controls/owner.ts';
import { Snapshot } from '../file/snapshot.ts';
import type { Attr, AttrChange, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import type { OpenFile } from '../node/open-file.ts';
import { Projected } from '../projection/projected.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { identityOf } from '../store/identity.ts';
import { Location } from '../store/location.ts';
import { REGULAR, typeOf, writes } from '../store/mode.ts';
import { pathOf } from '../store/store.ts';
import { metadataOf } from './metadata.ts';
import { executableOf, type ObjectPlace } from './object.ts';

/** An object's executable: reads as metadata that starts with the runner, so that the kernel's exec starts the runner. */
export class Executable extends Projected {
  override readonly origin = 'store';
  readonly #object: ObjectPlace;
  #fixedContent: Buffer | undefined;

  constructor(scope: Scope, object: ObjectPlace) {
    super(scope, executableOf(object));
    this.#object = object;
  }

  get kind(): Kind {
    return `ctx.${this.#object.class}.exec`;
  }

  attr(): Attr {
    const stat = this.#stat();
    const mode = REGULAR | (Number(stat.mode) & 0o555);
    // As of its controls: an agent's owner is who may remove it.
    const owner = this.#object.class === 'agent' ? ownerOf(this.scope, this.#object) : undefined;
    return withContent(this.shown(stat, mode, owner), this.#content().length);
  }

  override open(_context: RequestContext, flags: number): OpenFile {
    if (writes(flags)) throw this.fixed();
    this.#stat();
    return new Snapshot(this.path(), this.#content());
  }

  /** Its times are its owner's to set, as by touch(1); nothing else of it is. */
  override setattr(context: RequestContext, change: AttrChange): void {
    const { atime, mtime, ...others } = change;
    if (this.scope.agent !== undefined || Object.values(others).some((value) => value !== undefined))
      throw this.fixed();
    requireOwner(this.scope, this.#object, context, this.path());
    const { store, places } = this.scope.world;
    const place = places.directory(this.#object.directory)!;
    const location = new Location(place, this.#object.base, identityOf(this.#stat()));
    store.pinned(location, (fd) => setFileTimes(pathOf(fd), { atime, mtime }));
  }

  override fixed() {
    return refuse('EPERM', this.path(), 'executables are read-only here', {
      hint: 'ctx object install, replace and uninstall change objects',
    });
  }

  /** A model's shows its controls; the others' never changes. */
  #content(): Buffer {
    if (this.#object.class === 'model') return metadataOf(this.scope.world, this.#object);
    this.#fixedContent ??= metadataOf(this.scope.world, this.#object);
    return this.#fixedContent;
  }

  #stat(): InodeStat {
    const { store, places } = this.scope.world;
    const { directory, base } = this.#object;
    const place = places.directory(directory);
    const stat = place && store.find(place, base);
    if (stat === undefined || typeOf(Number(stat.mode)) !== REGULAR)
      throw refuse('ESTALE', this.path(), 'the object is gone');
    return stat;
  }
}
