import { constants } from 'node:fs';
import { setFileTimes } from '@cortexfs/linux/file-times';
import { withContent } from '../attributes.ts';
import { Snapshot } from '../file/snapshot.ts';
import type { Attr, AttrChange, RequestContext } from '../file-system.ts';
import type { Kind, Storage } from '../node/kind.ts';
import type { Ttl } from '../node/node.ts';
import type { OpenFile } from '../node/open-file.ts';
import { Projected, projectedKey } from '../projection/projected.ts';
import { refuse } from '../refuse.ts';
import { REGULAR } from '../store/mode.ts';
import { pathOf } from '../store/store.ts';
import { checkControl } from './commit.ts';
import { Edit } from './edit.ts';
import { GrowingContent } from './growing.ts';
import type { ControlPlace } from './place.ts';
import { requireSameIdentity } from './same-identity.ts';
import { replaceControl, versionOf, whichOf } from './versions.ts';

interface Kept {
  readonly content: Buffer;
  readonly attr: Attr;
}

/**
 * One version of a control file: readers get one whole value, writers replace it as a whole. Each version is a node of its
 * own, so that what the kernel remembers of one is never said of another, and whoever found a version can still read it
 * after it was replaced (`versions.ts`).
 */
export class ControlFile extends Projected {
  override readonly origin = 'store';
  override readonly storage: Storage = 'bytes';
  readonly place: ControlPlace;
  readonly #twin: number;
  #version: string;
  /** What it was when it was replaced or removed. */
  #kept: Kept | undefined;
  readonly #edits = new Set<Edit>();
  readonly #readers = new Set<Snapshot>();
  /** Those who read what was there before somebody wrote in place. */
  readonly #behind = new Set<Snapshot>();

  constructor(place: ControlPlace, version = versionOf(place), twin = 0) {
    super(place.scope, place.path, whichOf(version, twin));
    this.place = place;
    this.#version = version;
    this.#twin = twin;
  }

  get kind(): Kind {
    return this.place.entry === undefined ? 'ctx.unknown' : `ctx.${this.place.object.class}.control`;
  }

  /** Somebody writes in place, or reads what was there before: others had better have a node of their own. */
  get isBusy(): boolean {
    return this.#edits.size > 0 || this.#behind.size > 0;
  }

  /** Replaced or removed since it was found. */
  get isLeft(): boolean {
    return this.#kept !== undefined;
  }

  override get ttl(): Ttl {
    const { ttl } = this.scope;
    return { entry: ttl, attr: this.isBusy ? 0 : ttl };
  }

  attr(): Attr {
    if (this.#kept !== undefined) return this.#kept.attr;
    const attr = this.#attrNow();
    const longest = Math.max(attr.size, ...[...this.#behind].map(({ size }) => size));
    return longest === attr.size ? attr : withContent(attr, longest);
  }

  override open(context: RequestContext, flags: number): OpenFile {
    if ((flags & WRITING) === 0) return this.#read();
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
        commit: (by, bytes) => replaceControl(this.place, by, bytes, this),
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

  /** Remembers what it shows, for those who have found it; to be called before it is replaced, the result afterwards. */
  prepareToLeave(): () => void {
    try {
      const kept = { content: this.content(), attr: { ...this.attr(), nlink: 0 } };
      return () => {
        this.#kept = kept;
      };
    } catch {
      // What cannot be read is not missed, and must not stand in the way of a good value.
      return () => {};
    }
  }

  /** What is in the store now has been written through this very node. */
  becomeCurrent(): void {
    this.#kept = undefined;
    this.#version = versionOf(this.place);
    for (const reader of this.#readers) this.#behind.add(reader);
    const { nodes } = this.scope.world;
    nodes.rekey(this, projectedKey(this.scope, this.path(), whichOf(this.#version, this.#twin)));
  }

  /** What readers get. */
  protected content(): Buffer {
    return this.stored();
  }

  protected stored(): Buffer {
    return this.scope.world.controls.bytes(this.place.directory, this.place.name);
  }

  #attrNow(): Attr {
    const stat = this.place.find();
    const writable = this.place.writable ? 0o200 : 0;
    if (stat !== undefined && (this.#edits.size > 0 || this.#isCurrent()))
      return this.shown(stat, REGULAR | (Number(stat.mode) & 0o444) | writable, this.place.owner);
    const [edit] = this.#edits;
    if (edit === undefined) throw this.#gone();
    return this.madeUp(REGULAR | 0o444 | writable, edit.size, this.place.owner);
  }

  #read(): OpenFile {
    // ESTALE makes the kernel look the name up again: it then finds the version that is there now.
    if (this.#kept === undefined && !this.#isCurrent()) throw this.#gone();
    const content = this.#kept?.content ?? this.content();
    const snapshot = new Snapshot(this.path(), content, (closed) => {
      this.#readers.delete(closed);
      this.#behind.delete(closed);
    });
    this.#readers.add(snapshot);
    return snapshot;
  }

  #isCurrent(): boolean {
    return versionOf(this.place) === this.#version;
  }

  #gone() {
    return refuse('ESTALE', this.path(), 'the control was replaced or removed');
  }

  #truncate(context: RequestContext, size: number): void {
    const content = new GrowingContent(this.path(), this.stored());
    content.truncate(size);
    replaceControl(this.place, context, content.bytes, this);
  }

  #touch({ atime, mtime }: AttrChange): void {
    const { store } = this.scope.world;
    const location = this.place.location();
    if (location !== undefined) store.pinned(location, (fd) => setFileTimes(pathOf(fd), { atime, mtime }));
  }
}

const JSON_CONTROLS = ['meta.json', 'schema', 'mcp'];
const WRITING = constants.O_WRONLY | constants.O_RDWR | constants.O_TRUNC;
