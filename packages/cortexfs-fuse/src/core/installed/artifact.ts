import { closeSync, constants, fstatSync } from 'node:fs';
import { CortexError, describeError, withContext } from '@cortexfs/abi/errors';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import { PassedThrough } from '../file/passed-through.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind, Origin, Storage } from '../node/kind.ts';
import type { Ttl } from '../node/node.ts';
import type { OpenFile } from '../node/open-file.ts';
import { executableOf, type ObjectPlace } from '../objects/object.ts';
import { Projected } from '../projection/projected.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { identityOf } from '../store/identity.ts';
import { Location } from '../store/location.ts';
import { REGULAR, typeOf, writes } from '../store/mode.ts';
import { stampOf } from './digests.ts';
import { fault, receiptOf } from './receipt.ts';

/** What an installed object runs: its bytes as they were installed, or none at all. */
export class Artifact extends Projected {
  readonly kind: Kind = 'ctx.unknown';
  override readonly origin: Origin = 'store';
  override readonly storage: Storage = 'bytes';
  readonly #object: ObjectPlace;
  #openedLast: string | undefined;

  constructor(scope: Scope, object: ObjectPlace, path: string) {
    super(scope, path);
    this.#object = object;
  }

  /** Each execution asks again. */
  override get ttl(): Ttl {
    return { entry: 0, attr: 0 };
  }

  attr(): Attr {
    const { stat } = this.#find();
    return this.shown(stat, REGULAR | (Number(stat.mode) & 0o555));
  }

  /** EAGAIN while its bytes are still being compared with its receipt: whoever wants it tries again. */
  override open(_context: RequestContext, flags: number): OpenFile {
    if (writes(flags)) throw this.fixed();
    try {
      return this.#openVerified();
    } catch (error) {
      if (error instanceof CortexError && error.code === 'EACCES') this.#report(error);
      throw error;
    }
  }

  #openVerified(): OpenFile {
    const { location, stat } = this.#find();
    const { world } = this.scope;
    const { executable } = receiptOf(world, this.#object);
    if (executable.ino !== stat.ino) throw fault('its executable is not the file that was installed');
    const open = () => world.store.open(location, constants.O_RDONLY);
    const digest = world.digests.of(stat, open);
    if (digest === 'pending') throw refuse('EAGAIN', this.path(), 'it is still being read');
    if (digest === 'changing') throw fault('its executable is being changed');
    if (digest !== executable.sha256)
      throw fault(`its executable has changed: SHA-256 ${digest}, installed was ${executable.sha256}`);
    return this.#opened(open(), stampOf(stat));
  }

  /** Only the very bytes that were compared; the kernel may keep them while they stay the same. */
  #opened(fd: number, stamp: string): OpenFile {
    if (stampOf(fstatSync(fd, { bigint: true })) !== stamp) {
      closeSync(fd);
      throw fault('its executable is being changed');
    }
    const keepCache = this.#openedLast === stamp;
    this.#openedLast = stamp;
    return new PassedThrough(this.path(), fd, { keepCache });
  }

  #find(): { location: Location; stat: InodeStat } {
    const { store, places } = this.scope.world;
    const { directory, base } = this.#object;
    const place = places.directory(directory);
    const stat = place && store.find(place, base);
    if (place === undefined || stat === undefined || typeOf(Number(stat.mode)) !== REGULAR)
      throw refuse('ENOENT', executableOf(this.#object), 'the object is gone');
    return { location: new Location(place, base, identityOf(stat)), stat };
  }

  /** Where people look: the object's `log`, and the mount's. */
  #report(error: CortexError): void {
    const { class: objectClass, name } = this.#object;
    const line = describeError(withContext(error, { path: executableOf(this.#object) }));
    this.scope.world.report(objectClass, name, `refused to execute: ${line}`);
  }
}
