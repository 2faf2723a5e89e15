import { StagedFile } from '../controls/staged.ts';
import { Staging } from '../controls/staging.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import type { Node } from '../node/node.ts';
import { OpenDirectory } from '../node/open-directory.ts';
import type { OpenFile } from '../node/open-file.ts';
import { DynamicFile } from '../projection/dynamic.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { DIRECTORY, REGULAR } from '../store/mode.ts';
import type { Skeleton } from './skeleton.ts';
import { SkeletonControl } from './skeleton-control.ts';
import { SkeletonNode } from './skeleton-node.ts';

/** `agent/NAME.d` of an agent that is being made. Its `log` says what it still needs. */
export class SkeletonDirectory extends SkeletonNode {
  readonly kind: Kind = 'ctx.agent.control';

  constructor(scope: Scope, skeleton: Skeleton) {
    super(scope, skeleton, skeleton.path);
  }

  attr(): Attr {
    return this.madeUp(DIRECTORY | 0o700, 0, this.skeleton.maker.uid);
  }

  override lookup(context: RequestContext, name: string): Node {
    this.#requireMaker(context);
    const staged = this.#staged(name);
    if (staged !== undefined) return staged;
    if (name === 'log')
      return new DynamicFile(this.scope, `${this.path()}/log`, this.kind, 'mount', () => this.#log());
    const control = new SkeletonControl(this.scope, this.skeleton, name).known();
    if (!control.exists()) throw this.absent(name);
    return control;
  }

  override opendir(context: RequestContext): OpenDirectory {
    this.#requireMaker(context);
    return new OpenDirectory(() =>
      [...this.skeleton.controls.keys(), 'log'].sort().map((name) => ({ name, type: REGULAR })),
    );
  }

  override create(
    context: RequestContext,
    name: string,
    mode: number,
    flags: number,
  ): { node: Node; file: OpenFile } {
    this.#requireMaker(context);
    if (Staging.accepts(name)) {
      const node = new StagedFile(this.scope, `${this.path()}/${name}`, this.skeleton.maker.uid, mode);
      this.scope.world.staging.add(this.path(), name, node);
      return { node, file: node.open(context, flags) };
    }
    this.skeleton.codec(name);
    const node = new SkeletonControl(this.scope, this.skeleton, name).known();
    return { node, file: node.edit(context, flags, Buffer.alloc(0), true) };
  }

  override unlink(context: RequestContext, name: string): void {
    this.#requireMaker(context);
    if (this.scope.world.staging.take(this.path(), name) !== undefined || name === 'log') return;
    if (!this.skeleton.controls.delete(name)) throw this.absent(name);
  }

  /** A temporary file becomes a control. */
  override rename(context: RequestContext, name: string, to: Node, newName: string, flags: number): void {
    this.#requireMaker(context);
    const staged = this.#staged(name);
    if (staged === undefined || flags !== 0) throw this.fixed();
    if (to !== this)
      throw refuse('EXDEV', `${this.path()}/${name}`, 'a temporary file stays beside its control');
    this.skeleton.codec(newName);
    new SkeletonControl(this.scope, this.skeleton, newName).known().replace(staged.content.bytes);
    this.scope.world.staging.take(this.path(), name);
  }

  override fixed() {
    return refuse('EPERM', this.path(), 'an agent has its known controls and nothing else', {
      layer: 'control',
    });
  }

  #staged(name: string): StagedFile | undefined {
    return this.scope.world.staging.find(this.path(), name);
  }

  #log(): string {
    const missing = this.skeleton.missing();
    return missing.length === 0
      ? `whole: make agent/${this.skeleton.name} to begin it\n`
      : missing.map((name) => `missing: ${name}\n`).join('');
  }

  #requireMaker(context: RequestContext): void {
    if (!this.skeleton.isFor(context))
      throw refuse('EACCES', this.path(), 'somebody else is making it', { layer: 'credentials' });
  }
}
