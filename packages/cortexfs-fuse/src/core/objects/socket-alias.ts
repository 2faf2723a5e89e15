import { lchownSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { requireOwner } from '../controls/owner.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind, Storage } from '../node/kind.ts';
import { Projected } from '../projection/projected.ts';
import { missing, refuse } from '../refuse.ts';
import { requireRuntimeTarget } from '../runtime/target.ts';
import type { Scope } from '../scope.ts';
import type { Location } from '../store/location.ts';
import { typeOf } from '../store/mode.ts';
import type { ObjectPlace } from './object.ts';

const pathOf = ({ directory, base }: ObjectPlace) => `${directory}/${base}.sock`;

/** `NAME.sock`: a symbolic link to the runtime socket, or the socket itself. */
export class SocketAlias extends Projected {
  override readonly origin = 'store';
  override readonly storage: Storage = 'bytes';
  readonly #object: ObjectPlace;

  constructor(scope: Scope, object: ObjectPlace) {
    super(scope, pathOf(object));
    this.#object = object;
  }

  get kind(): Kind {
    return `ctx.${this.#object.class}.socket`;
  }

  attr(): Attr {
    const { store } = this.scope.world;
    const stat = store.find(directoryOf(this.scope, this.#object), `${this.#object.base}.sock`);
    if (stat === undefined) throw refuse('ESTALE', this.path(), 'the socket is gone');
    const type = typeOf(Number(stat.mode));
    return this.shown(stat, type | (Number(stat.mode) & 0o777));
  }

  override readlink(): string {
    const { store } = this.scope.world;
    return readlinkSync(store.entry(directoryOf(this.scope, this.#object), `${this.#object.base}.sock`));
  }
}

/** Only the object's owner (or uid 0) may, and only to a socket below that owner's runtime directory. */
export function createSocketAlias(
  scope: Scope,
  context: RequestContext,
  object: ObjectPlace,
  target: string,
): void {
  const owner = requireOwner(scope, object, context, pathOf(object));
  requireRuntimeTarget(scope.world, owner, pathOf(object), target);
  const { store, self } = scope.world;
  const path = store.entry(directoryOf(scope, object), `${object.base}.sock`);
  symlinkSync(target, path);
  if (self.uid === 0) lchownSync(path, owner, -1);
}

export function removeSocketAlias(scope: Scope, context: RequestContext, object: ObjectPlace): void {
  requireOwner(scope, object, context, pathOf(object));
  unlinkSync(scope.world.store.entry(directoryOf(scope, object), `${object.base}.sock`));
}

function directoryOf(scope: Scope, object: ObjectPlace): Location {
  const place = scope.world.places.directory(object.directory);
  if (place === undefined) throw missing(object.directory, `${object.base}.sock`);
  return place;
}
