import { closeSync, constants, mkdirSync, openSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { fsyncDirectorySync } from '@cortexfs/linux/durable-write';
import { makeSpecialFile } from '@cortexfs/linux/special-file';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { RequestContext } from '../file-system.ts';
import type { Node } from '../node/node.ts';
import { type Listed, OpenDirectory } from '../node/open-directory.ts';
import type { OpenFile } from '../node/open-file.ts';
import { refuse } from '../refuse.ts';
import { identityOf } from '../store/identity.ts';
import { Location } from '../store/location.ts';
import { DIRECTORY, FIFO, REGULAR, SOCKET, SYMLINK, typeOf } from '../store/mode.ts';
import { TreeFile } from './file.ts';
import { TreeItem } from './item.ts';
import { treeKey } from './key.ts';
import { linkInto } from './link.ts';
import { listedType } from './listed-type.ts';
import { nobodyElse, type Recipient, recipientFor } from './recipient.ts';
import { renameBetween } from './rename.ts';
import { TreeSymlink } from './symlink.ts';
import type { Zone } from './zone.ts';

/** An ordinary directory: everything in it is served as the store has it. */
export class TreeDirectory extends TreeItem {
  override lookup(_context: RequestContext, name: string): Node {
    return this.#found(name);
  }

  override opendir(_context: RequestContext): OpenDirectory {
    return new OpenDirectory(() => this.list());
  }

  override create(
    context: RequestContext,
    name: string,
    mode: number,
    flags: number,
  ): { node: Node; file: OpenFile } {
    const fd = this.#makeOrAskAgain(context, name, mode, flags);
    try {
      const node = this.#found(name);
      if (!(node instanceof TreeFile))
        throw refuse('ESTALE', node.path(), 'it was replaced while being created');
      return { node, file: node.adoptDescriptor(fd) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  override mknod(context: RequestContext, name: string, mode: number, rdev: number): Node {
    const type = typeOf(mode);
    if (type === REGULAR) closeSync(this.#make(context, name, mode, constants.O_WRONLY));
    else if (type === FIFO || type === SOCKET) this.#makeSpecial(context, name, mode, 0);
    else this.#makeDevice(context, name, mode, rdev);
    return this.#found(name);
  }

  override mkdir(context: RequestContext, name: string, mode: number): Node {
    this.requireChange('mkdir', name, context);
    const { recipient, path } = this.#place(context, name);
    mkdirSync(path, { mode: recipient.initialMode(mode) });
    recipient.give(path, mode);
    return this.#found(name);
  }

  override symlink(context: RequestContext, name: string, target: string): Node {
    this.requireChange('make', name, context);
    this.zone.checkSymlink?.(context, this.#pathOf(name), target);
    const { recipient, path } = this.#place(context, name);
    symlinkSync(target, path);
    recipient.give(path, 0o777);
    return this.#found(name);
  }

  override link(context: RequestContext, node: Node, name: string): Node {
    this.requireChange('make', name, context);
    if (!(node instanceof TreeItem) || node.zone.id !== this.zone.id) throw this.#elsewhere(name);
    linkInto(this, node, name);
    return this.#found(name);
  }

  override unlink(context: RequestContext, name: string): void {
    this.requireChange('remove', name, context);
    const taken = this.knownAt(name);
    unlinkSync(this.zone.world.store.entry(this.location, name));
    taken?.node.loseName(this.location, name, taken.stat);
  }

  override rmdir(context: RequestContext, name: string): void {
    this.requireChange('rmdir', name, context);
    const taken = this.knownAt(name);
    rmdirSync(this.zone.world.store.entry(this.location, name));
    taken?.node.loseName(this.location, name, taken.stat);
  }

  override rename(context: RequestContext, name: string, to: Node, newName: string, flags: number): void {
    this.requireChange('rename', name, context);
    if (!(to instanceof TreeDirectory) || to.zone.id !== this.zone.id) throw this.#elsewhere(name);
    to.requireChange('rename', newName, context);
    renameBetween(this, name, to, newName, flags);
  }

  override fsyncdir(): void {
    fsyncDirectorySync(this.zone.world.store.descriptorPath(this.location));
  }

  override learn(parent: Location, name: string): void {
    this.location.parent = parent;
    this.location.name = name;
  }

  override forgotten(): void {
    this.zone.world.store.forget(this.location);
  }

  /** Refuses what Linux permissions cannot: whether a name may come, go or change its meaning here. */
  protected requireChange(_change: DirectoryChange, _name: string, context: RequestContext): void {
    this.requireWritable(context);
  }

  /** The node of a name that the store has. Directories with rules of their own put other nodes here. */
  protected adopt(name: string, stat: InodeStat): Node {
    return this.adoptAs(classFor(typeOf(Number(stat.mode))), name, stat);
  }

  protected adoptAs<T extends TreeItem>(
    type: TreeItemClass<T>,
    name: string,
    stat: InodeStat,
    zone = this.zone,
  ): T {
    const identity = identityOf(stat);
    const key = treeKey(zone, identity);
    const item = zone.world.nodes.intern(
      key,
      type,
      () => new type(zone, key, new Location(this.location, name, identity), stat),
    );
    item.learn(this.location, name);
    return item;
  }

  /** The node that the kernel knows behind a name, and what the store says of it. */
  knownAt(name: string): { node: TreeItem; stat: InodeStat } | undefined {
    const stat = this.zone.world.store.find(this.location, name);
    const node = stat && this.zone.world.nodes.find(treeKey(this.zone, identityOf(stat)));
    return node instanceof TreeItem ? { node, stat: stat! } : undefined;
  }

  protected list(): Listed[] {
    if (this.isLost) return [];
    return this.zone.world.store
      .list(this.location)
      .filter((entry) => !this.hides(entry.name))
      .map((entry) => ({ name: entry.name, type: listedType(entry) }));
  }

  /** Names that are not shown and not found. Text that is not UTF-8 cannot be named through the mount. */
  protected hides(name: string): boolean {
    return name.includes('\ufffd');
  }

  /** Creates a regular file that was not there; EEXIST otherwise. */
  #make(context: RequestContext, name: string, mode: number, flags: number): number {
    this.requireChange('make', name, context);
    const { recipient, path } = this.#place(context, name);
    const fd = openSync(path, flags | NEW_FILE, recipient.initialMode(mode));
    try {
      recipient.giveOpen(fd, mode);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** The kernel found nothing there. If something is by now, it must look again and open that by the rules: ESTALE makes it. */
  #makeOrAskAgain(context: RequestContext, name: string, mode: number, flags: number): number {
    try {
      return this.#make(context, name, mode, flags & TreeFile.FLAGS);
    } catch (error) {
      const exists = (error as { code?: unknown }).code === 'EEXIST';
      if (!exists || (flags & constants.O_EXCL) !== 0) throw error;
      throw refuse('ESTALE', this.#pathOf(name), 'somebody else has just created it');
    }
  }

  /** As on every file system mounted with `nodev`: root can make them, as when unpacking an archive, and nobody can open them. */
  #makeDevice(context: RequestContext, name: string, mode: number, rdev: number): void {
    if (context.uid !== 0 || this.zone.scope.agent !== undefined)
      throw refuse('EPERM', this.#pathOf(name), 'only uid 0 makes device files, and not from inside a view');
    this.#makeSpecial(context, name, mode, rdev);
  }

  #makeSpecial(context: RequestContext, name: string, mode: number, rdev: number): void {
    this.requireChange('make', name, context);
    const { recipient, path } = this.#place(context, name);
    makeSpecialFile(path, typeOf(mode) | recipient.initialMode(mode), rdev);
    recipient.give(path, mode);
  }

  #place(context: RequestContext, name: string): { recipient: Recipient; path: string } {
    const { world, owner } = this.zone;
    const recipient = owner === undefined ? recipientFor(world, context, this.location) : nobodyElse;
    return { recipient, path: world.store.entry(this.location, name) };
  }

  #found(name: string): Node {
    const stat = this.hides(name) ? undefined : this.zone.world.store.find(this.location, name);
    if (stat === undefined) throw this.absent(name);
    return this.adopt(name, stat);
  }

  #pathOf(name: string): string {
    return `${this.path()}/${name}`;
  }

  #elsewhere(name: string) {
    return refuse(
      'EXDEV',
      this.#pathOf(name),
      'links and renames stay within one home, shared space or object',
    );
  }
}

/** `rename` is asked of both ends. */
export type DirectoryChange = 'make' | 'mkdir' | 'remove' | 'rmdir' | 'rename';

const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

type TreeItemClass<T extends TreeItem> = new (
  zone: Zone,
  key: string,
  location: Location,
  stat: InodeStat,
) => T;

function classFor(type: number): TreeItemClass<TreeItem> {
  if (type === DIRECTORY) return TreeDirectory;
  if (type === REGULAR) return TreeFile;
  return type === SYMLINK ? TreeSymlink : TreeItem;
}
