import { constants } from 'node:fs';
import { setFileTimes } from '@cortexfs/linux/file-times';
import { Snapshot } from '../file/snapshot.ts';
import type { Attr, AttrChange, RequestContext } from '../file-system.ts';
import type { Kind, Storage } from '../node/kind.ts';
import type { OpenFile } from '../node/open-file.ts';
import { Projected } from '../projection/projected.ts';
import { refuse } from '../refuse.ts';
import { REGULAR } from '../store/mode.ts';
import { pathOf } from '../store/store.ts';
import { checkControl, commitControl } from './commit.ts';
import { Edit } from './edit.ts';
import { GrowingContent } from './growing.ts';
import type { ControlPlace } from './place.ts';
import { requireSameIdentity } from './same-identity.ts';

/** A control file: readers get one whole value, writers replace it as a whole. */
export class ControlFile extends Projected {
  override readonly origin = 'store';
  override readonly storage: Storage = 'bytes';
  readonly place: ControlPlace;
  readonly #edits = new Set<Edit>();

  constructor(place: ControlPlace) {
    super(place.scope, place.path);
    this.place = place;
  }

  get kind(): Kind {
    return this.place.entry === undefined ? 'ctx.unknown' : `ctx.${this.place.object.class}.control`;
  }

  attr(): Attr {
    const stat = this.place.find();
    const writable = this.place.writable ? 0o200 : 0;
    if (stat !== undefined)
      return this.shown(stat, REGULAR | (Number(stat.mode) & 0o444) | writable, this.place.owner);
    const [edit] = this.#edits;
    if (edit === undefined) throw refuse('ESTALE', this.path(), 'the control is gone');
    return this.madeUp(REGULAR | 0o444 | writable, edit.size, this.place.owner);
  }

  override open(context: RequestContext, flags: number): OpenFile {
    if ((flags & WRITING) === 0) return new Snapshot(this.path(), this.content());
    this.place.requireWriter(context);
    const truncates = (flags & constants.O_TRUNC) !== 0;
    return this.edit(context, flags, truncates ? Buffer.alloc(0) : this.stored(), false);
  }

  /** An edit of a control that is not there yet, or anew. */
  edit(context: RequestContext, flags: number, old: Buffer, isNew: boolean): Edit {
    const edit = new Edit(
      context,
      {
        path: this.path(),
        check: (bytes) => checkControl(this.place, bytes),
        growsTogether: JSON_CONTROLS.includes(this.place.name),
        commit: (by, bytes) => commitControl(this.place, by, bytes),
        closed: (closed) => this.#edits.delete(closed),
      },
      flags,
      old,
      isNew,
    );
    this.#edits.add(edit);
    return edit;
  }

  override setattr(context: RequestContext, change: AttrChange, file?: OpenFile): void {
    this.place.requireWriter(context);
    requireSameIdentity(this.path(), this.attr(), change);
    if (change.size !== undefined && file !== undefined) file.truncate(change.size);
    else if (change.size !== undefined) this.#truncate(context, change.size);
    else if (change.atime !== undefined || change.mtime !== undefined) this.#touch(change);
  }

  /** Stored, or at least being written. */
  exists(): boolean {
    return this.place.find() !== undefined || this.#edits.size > 0;
  }

  /** What readers get. */
  protected content(): Buffer {
    return this.stored();
  }

  protected stored(): Buffer {
    return this.scope.world.controls.bytes(this.place.directory, this.place.name);
  }

  #truncate(context: RequestContext, size: number): void {
    const content = new GrowingContent(this.path(), this.stored());
    content.truncate(size);
    commitControl(this.place, context, content.bytes);
  }

  #touch({ atime, mtime }: AttrChange): void {
    const { store } = this.scope.world;
    const location = this.place.location();
    if (location !== undefined) store.pinned(location, (fd) => setFileTimes(pathOf(fd), { atime, mtime }));
  }
}

const JSON_CONTROLS = ['meta.json', 'schema', 'mcp'];
const WRITING = constants.O_WRONLY | constants.O_RDWR | constants.O_TRUNC;
