import { constants, mkdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { controlEntry, controlNames } from '@cortexfs/abi/controls/registry';
import { fsyncDirectorySync } from '@cortexfs/linux/durable-write';
import { isLeftOver, removeControl } from '../creation/remove.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import type { Kind } from '../node/kind.ts';
import type { Node } from '../node/node.ts';
import { type Listed, OpenDirectory } from '../node/open-directory.ts';
import type { OpenFile } from '../node/open-file.ts';
import { RememberedListing } from '../node/remembered-listing.ts';
import { controlsOf, type ObjectPlace } from '../objects/object.ts';
import { DynamicFile } from '../projection/dynamic.ts';
import { Projected } from '../projection/projected.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import type { Location } from '../store/location.ts';
import { DIRECTORY, REGULAR } from '../store/mode.ts';
import { listedType } from '../tree/listed-type.ts';
import { zoneOf } from '../tree/zone.ts';
import { dynamicContent } from './dynamic-content.ts';
import { ControlFile } from './file.ts';
import { hooksAt } from './hooks.ts';
import { MetaControl } from './meta.ts';
import { ownerOf, requireOwner } from './owner.ts';
import { ControlPlace } from './place.ts';
import { StagedFile } from './staged.ts';
import { Staging } from './staging.ts';
import { currentControl, leaveCurrent, replaceControl } from './versions.ts';

/** `NAME.d`: the controls of one object. */
export class ControlDirectory extends Projected {
  override readonly origin = 'store';
  readonly #object: ObjectPlace;
  readonly #listing = new RememberedListing();

  constructor(scope: Scope, object: ObjectPlace) {
    super(scope, controlsOf(object));
    this.#object = object;
  }

  get kind(): Kind {
    return `ctx.${this.#object.class}.control`;
  }

  attr(): Attr {
    const mode = DIRECTORY | (this.scope.agent === undefined ? 0o755 : 0o555);
    return this.shown(this.scope.world.store.stat(this.#place()), mode, ownerOf(this.scope, this.#object));
  }

  override lookup(context: RequestContext, name: string): Node {
    const staged = this.#staged(context, name);
    if (staged !== undefined) return staged;
    if (isHidden(name)) throw this.absent(name);
    if (controlEntry(this.#object.class, name)?.dynamic) return this.#dynamic(name);
    if (name === 'hooks' && this.#object.class !== 'model') return this.#hooks() ?? this.#gone(name);
    const control = this.#control(name);
    if (!control.exists()) throw this.absent(name);
    return control;
  }

  override opendir(_context: RequestContext): OpenDirectory {
    return new OpenDirectory(() => this.#list());
  }

  override create(
    context: RequestContext,
    name: string,
    mode: number,
    flags: number,
  ): { node: Node; file: OpenFile } {
    if (Staging.accepts(name)) return this.#stage(context, name, mode, flags);
    const node = this.#control(name);
    node.place.requireWriter(context);
    const exists = node.place.find() !== undefined;
    if (exists && (flags & constants.O_EXCL) !== 0)
      throw refuse('EEXIST', node.path(), 'it is there already');
    return {
      node,
      file: exists ? node.open(context, flags) : node.edit(context, flags, Buffer.alloc(0), true),
    };
  }

  override mkdir(context: RequestContext, name: string, _mode: number): Node {
    if (name !== 'hooks' || this.#object.class === 'model' || this.scope.agent !== undefined)
      throw this.fixed();
    requireOwner(this.scope, this.#object, context, `${this.path()}/${name}`);
    mkdirSync(this.scope.world.store.entry(this.#place(), name), { mode: 0o755 });
    return this.#hooks() ?? this.#gone(name);
  }

  /** Optional controls can be taken away, which means their default; required ones only replaced. */
  override unlink(context: RequestContext, name: string): void {
    const staged = this.#staged(context, name);
    if (staged !== undefined) {
      staged.requireMaker(context);
      this.scope.world.staging.take(this.path(), name);
      return;
    }
    if (isLeftOver(this.scope, this.#object)) {
      removeControl(this.scope, context, this.#object, name);
      return;
    }
    const { place } = this.#control(name);
    place.requireWriter(context);
    if (place.find() === undefined) throw this.absent(name);
    if (place.entry?.required) throw refuse('EPERM', place.path, 'a required control can only be replaced');
    const leave = leaveCurrent(place);
    unlinkSync(this.scope.world.store.entry(this.#place(), name));
    leave();
    this.fsyncdir();
  }

  /** Hooks can be taken away as they were made: by the owner, when there are none. */
  override rmdir(context: RequestContext, name: string): void {
    if (name !== 'hooks' || this.scope.agent !== undefined) throw this.fixed();
    requireOwner(this.scope, this.#object, context, `${this.path()}/${name}`);
    rmdirSync(this.scope.world.store.entry(this.#place(), name));
  }

  /** Replacing a control by a temporary file is the one rename there is. */
  override rename(context: RequestContext, name: string, to: Node, newName: string, flags: number): void {
    const staged = this.#staged(context, name);
    if (staged === undefined) throw this.fixed();
    if (to !== this)
      throw refuse('EXDEV', `${this.path()}/${name}`, 'a temporary file stays beside its control');
    staged.requireMaker(context);
    const { place } = this.#control(newName);
    if (flags !== 0 && (flags !== NOREPLACE || place.find() !== undefined))
      throw refuse(flags === NOREPLACE ? 'EEXIST' : 'EINVAL', place.path, 'it is there already');
    replaceControl(place, context, staged.content.bytes);
    this.scope.world.staging.take(this.path(), name);
  }

  override fsyncdir(): void {
    fsyncDirectorySync(this.scope.world.store.descriptorPath(this.#place()));
  }

  override fixed() {
    return refuse('EPERM', this.path(), 'an object has its known controls and nothing else', {
      layer: 'control',
    });
  }

  #stage(context: RequestContext, name: string, mode: number, flags: number): { node: Node; file: OpenFile } {
    const path = `${this.path()}/${name}`;
    if (this.scope.agent !== undefined)
      throw refuse('EROFS', path, 'controls cannot be changed from inside a view');
    requireOwner(this.scope, this.#object, context, path);
    if (this.scope.world.staging.find(this.path(), name) !== undefined)
      throw refuse('EEXIST', path, 'it is there already');
    const node = new StagedFile(this.scope, path, context.uid, mode);
    this.scope.world.staging.add(this.path(), name, node);
    return { node, file: node.open(context, flags) };
  }

  #staged(context: RequestContext, name: string): StagedFile | undefined {
    if (this.scope.agent !== undefined) return undefined;
    const staged = this.scope.world.staging.find(this.path(), name);
    return staged !== undefined && (staged.maker === context.uid || context.uid === 0) ? staged : undefined;
  }

  #control(name: string): ControlFile {
    const place = new ControlPlace(this.scope, this.#object, name);
    const type = this.#object.class === 'agent' && name === 'meta.json' ? MetaControl : ControlFile;
    return currentControl(place, type);
  }

  #dynamic(name: string): DynamicFile {
    const path = `${this.path()}/${name}`;
    const inView = this.scope.agent !== undefined;
    // A log names places of the host.
    const content =
      inView && name === 'log' ? () => '' : dynamicContent(this.scope.world, this.#object, name);
    // What an agent's host has to say is between it and its owner.
    const reader =
      this.#object.class === 'agent' && name === 'log' ? () => ownerOf(this.scope, this.#object) : undefined;
    return new DynamicFile(this.scope, path, this.kind, 'runtime', content, reader).known();
  }

  #hooks(): Node | undefined {
    const path = `${this.path()}/hooks`;
    const readOnly =
      this.scope.agent === undefined ? undefined : 'hooks cannot be changed from inside a view';
    const owner = () => ownerOf(this.scope, this.#object);
    return hooksAt(zoneOf(this.scope, path, { readOnly, owner }), path);
  }

  #gone(name: string): never {
    throw this.absent(name);
  }

  /** The times are taken before the names, so that a change in between is noticed the next time. */
  #list(): readonly Listed[] {
    const stat = this.scope.world.store.stat(this.#place());
    const hasMeta = this.#object.class === 'agent' && this.#isShownUnstored('meta.json');
    return this.#listing.get(stat, String(hasMeta), () => this.#listAnew());
  }

  #listAnew(): Listed[] {
    const stored = this.scope.world.store
      .list(this.#place())
      .map((entry) => ({ name: entry.name, type: listedType(entry) }))
      .filter(
        ({ name, type }) => !isHidden(name) && (type === REGULAR || (type === DIRECTORY && name === 'hooks')),
      );
    const names = new Set(stored.map(({ name }) => name));
    const dynamic = controlNames(this.#object.class)
      .filter((name) => !names.has(name) && this.#isShownUnstored(name))
      .map((name) => ({ name, type: REGULAR }));
    return [...stored, ...dynamic].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #isShownUnstored(name: string): boolean {
    if (controlEntry(this.#object.class, name)?.dynamic) return true;
    return this.#object.class === 'agent' && name === 'meta.json' && this.#control(name).exists();
  }

  #place(): Location {
    const place = this.scope.world.places.directory(this.path());
    if (place === undefined) throw refuse('ESTALE', this.path(), 'the object is gone');
    return place;
  }
}

const NOREPLACE = 1;

/** Receipts, residue and temporary files, and what is no text. */
const isHidden = (name: string) => name.startsWith('.') || name.includes('\ufffd');
