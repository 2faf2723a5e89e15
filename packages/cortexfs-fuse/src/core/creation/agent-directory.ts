import { unlinkSync } from 'node:fs';
import { life as lifeCodec } from '@cortexfs/abi/controls/life';
import type { AgentStatus } from '@cortexfs/abi/controls/status';
import type { Window } from '@cortexfs/abi/controls/window';
import type { ObjectName } from '@cortexfs/abi/names';
import { fsyncDirectorySync } from '@cortexfs/linux/durable-write';
import { requireOwner } from '../controls/owner.ts';
import { requireFit } from '../controls/window.ts';
import { Snapshot } from '../file/snapshot.ts';
import type { RequestContext } from '../file-system.ts';
import { isInstalled } from '../installed/receipt.ts';
import type { Node } from '../node/node.ts';
import { type Listed, OpenDirectory } from '../node/open-directory.ts';
import type { OpenFile } from '../node/open-file.ts';
import { ClassDirectory } from '../objects/class-directory.ts';
import { executableOf, partOf } from '../objects/object.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { DIRECTORY } from '../store/mode.ts';
import { installAgent } from './install.ts';
import { removeControls } from './remove.ts';
import { requireParent } from './rules.ts';
import type { Skeleton } from './skeleton.ts';
import { SkeletonDirectory } from './skeleton-directory.ts';

/** `agent`: as every class directory, and the place where agents are made and temporary ones removed (docs/mount.md). */
export class AgentDirectory extends ClassDirectory {
  constructor(scope: Scope) {
    super(scope, 'agent', 'agent');
  }

  override lookup(context: RequestContext, name: string): Node {
    const skeleton = this.#skeleton(context, name, 'controls');
    return skeleton === undefined
      ? super.lookup(context, name)
      : new SkeletonDirectory(this.scope, skeleton).known();
  }

  override opendir(context: RequestContext): OpenDirectory {
    return new OpenDirectory(() => this.#listFor(context));
  }

  /** Begins an agent. Nobody but its maker sees it before it is whole. */
  override mkdir(context: RequestContext, name: string, _mode: number): Node {
    const part = partOf(name);
    if (part?.part !== 'controls')
      throw refuse(
        'EPERM',
        `agent/${name}`,
        'only the controls of a new agent, NAME.d, are made here as a directory',
      );
    this.#requireMayMake(context);
    this.#requireNew(part.base);
    const skeleton = this.scope.world.skeletons.begin(part.base as ObjectName, context);
    return new SkeletonDirectory(this.scope, skeleton).known();
  }

  /** Making `agent/NAME` finishes what `mkdir agent/NAME.d` began: all of it appears, or nothing. */
  override create(
    context: RequestContext,
    name: string,
    _mode: number,
    _flags: number,
  ): { node: Node; file: OpenFile } {
    const skeleton = this.#skeleton(context, name, 'exec');
    if (skeleton === undefined)
      throw refuse('EPERM', `agent/${name}`, 'an agent begins with its controls', {
        hint: `mkdir agent/${name}.d`,
      });
    this.#requireWhole(skeleton);
    installAgent(this.scope.world, skeleton);
    const { world } = this.scope;
    world.skeletons.drop(skeleton);
    world.report('agent', name, `made by uid ${context.uid}`);
    world.places.startRequest();
    return { node: this.lookup(context, name), file: new Snapshot(`agent/${name}`, Buffer.alloc(0)) };
  }

  /** The executable of a temporary agent that does not run goes; its controls can be removed then. */
  override unlink(context: RequestContext, name: string): void {
    if (partOf(name)?.part === 'exec') this.#removeExecutable(context, name);
    else super.unlink(context, name);
  }

  #removeExecutable(context: RequestContext, name: string): void {
    const object = this.object(name);
    const { world } = this.scope;
    const path = executableOf(object);
    const owner = requireOwner(this.scope, object, context, path);
    if (isInstalled(world, object))
      throw refuse('EPERM', path, 'an installed agent is not removed as a file', {
        hint: `ctx object uninstall agent ${name} --tier system`,
      });
    if (world.controls.loadOr(`${path}.d`, 'life', lifeCodec, 'owned') !== 'temp')
      throw refuse('EPERM', path, 'an agent whose life is "owned" stays', {
        hint: `ctx set ${path}.d/life temp`,
      });
    const status: AgentStatus = world.runtimes.of(owner).status(name as ObjectName);
    if (status !== 'dead')
      throw refuse('EBUSY', path, `it runs: ${status}`, { hint: `ctx agent stop ${name}` });
    const place = this.place();
    if (place === undefined) throw this.absent(name);
    unlinkSync(world.store.entry(place, name));
    world.formerOwners.set(`${path}.d`, owner);
    fsyncDirectorySync(world.store.descriptorPath(place));
  }

  /** The controls of an agent that was begun, or of one that has no executable any more. */
  override rmdir(context: RequestContext, name: string): void {
    const skeleton = this.#skeleton(context, name, 'controls');
    if (skeleton === undefined) {
      removeControls(this.scope, context, this.object(name), this.fixed());
      return;
    }
    if (skeleton.controls.size > 0)
      throw refuse('ENOTEMPTY', skeleton.path, 'it has controls', { hint: `rm -r ${skeleton.path}` });
    this.scope.world.skeletons.drop(skeleton);
  }

  #skeleton(context: RequestContext, name: string, part: 'exec' | 'controls'): Skeleton | undefined {
    const parts = partOf(name);
    return parts?.part === part ? this.scope.world.skeletons.find(parts.base, context) : undefined;
  }

  #requireMayMake({ uid }: RequestContext): void {
    const { allowOther, self } = this.scope.world;
    if (!allowOther && uid !== 0 && uid !== self.uid)
      throw refuse('EACCES', 'agent', `the store belongs to uid ${self.uid}`, { layer: 'credentials' });
  }

  #requireNew(base: string): void {
    const { store } = this.scope.world;
    const place = this.place();
    const taken = place && [base, `${base}.d`].find((name) => store.find(place, name) !== undefined);
    if (place === undefined || taken !== undefined)
      throw refuse(
        place === undefined ? 'ENOENT' : 'EEXIST',
        `agent/${base}`,
        'there is an agent of that name',
      );
  }

  #requireWhole(skeleton: Skeleton): void {
    const { world } = this.scope;
    const missing = skeleton.missing();
    if (missing.length > 0)
      throw refuse('EINVAL', `agent/${skeleton.name}`, `it is not whole: ${missing.join(' ')} missing`, {
        layer: 'control',
        hint: `ctx cat ${skeleton.path}/log`,
      });
    requireParent(world, skeleton);
    const window = (skeleton.value('window') ?? 'auto') as Window;
    requireFit(world, window, skeleton.value('model') as ObjectName, skeleton.value('owner') as number);
  }

  #listFor(context: RequestContext): readonly Listed[] {
    const begun = this.scope.world.skeletons.visibleTo(context);
    return [...this.list(context), ...begun.map(({ name }) => ({ name: `${name}.d`, type: DIRECTORY }))];
  }
}
