import { constants } from 'node:fs';
import { Edit } from '../controls/edit.ts';
import { requireSameIdentity } from '../controls/same-identity.ts';
import { Snapshot } from '../file/snapshot.ts';
import type { Attr, AttrChange, RequestContext } from '../file-system.ts';
import type { Kind, Storage } from '../node/kind.ts';
import type { OpenFile } from '../node/open-file.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { REGULAR } from '../store/mode.ts';
import { requireOwnToGive } from './rules.ts';
import type { Skeleton } from './skeleton.ts';
import { SkeletonNode } from './skeleton-node.ts';

/** A control of an agent that is being made. Its value changes as a whole, as that of any control does. */
export class SkeletonControl extends SkeletonNode {
  readonly kind: Kind = 'ctx.agent.control';
  override readonly storage: Storage = 'memory';
  readonly control: string;
  #edits = 0;

  constructor(scope: Scope, skeleton: Skeleton, control: string) {
    super(scope, skeleton, `${skeleton.path}/${control}`);
    this.control = control;
  }

  attr(): Attr {
    const bytes = this.skeleton.controls.get(this.control);
    if (bytes === undefined && this.#edits === 0) throw refuse('ESTALE', this.path(), 'the control is gone');
    return this.madeUp(REGULAR | 0o644, bytes?.length ?? 0, this.skeleton.maker.uid);
  }

  override open(context: RequestContext, flags: number): OpenFile {
    const bytes = this.skeleton.controls.get(this.control) ?? Buffer.alloc(0);
    if ((flags & (constants.O_WRONLY | constants.O_RDWR | constants.O_TRUNC)) === 0)
      return new Snapshot(this.path(), bytes);
    return this.edit(context, flags, bytes);
  }

  /** Written, or at least being written. */
  exists(): boolean {
    return this.skeleton.controls.has(this.control) || this.#edits > 0;
  }

  edit(context: RequestContext, flags: number, old: Buffer, isNew = false): Edit {
    this.#edits++;
    return new Edit(
      context,
      {
        path: this.path(),
        check: (bytes) => this.skeleton.check(this.control, bytes),
        growsTogether: this.control === 'meta.json',
        commit: (_by, bytes) => this.replace(bytes),
        closed: () => this.#edits--,
      },
      flags,
      old,
      isNew,
    );
  }

  /** Only by a value that its codec reads and its maker may give; the old one stays otherwise. */
  replace(bytes: Buffer): void {
    this.skeleton.check(this.control, bytes);
    const { world } = this.scope;
    requireOwnToGive(
      world,
      this.skeleton,
      this.control,
      this.skeleton.codec(this.control).parse(bytes.toString()),
    );
    this.skeleton.controls.set(this.control, Buffer.from(bytes));
  }

  override setattr(_context: RequestContext, change: AttrChange, file?: OpenFile): void {
    requireSameIdentity(this.path(), this.attr(), change);
    if (change.size === undefined) return;
    if (file !== undefined) file.truncate(change.size);
    else this.replace((this.skeleton.controls.get(this.control) ?? Buffer.alloc(0)).subarray(0, change.size));
  }
}
