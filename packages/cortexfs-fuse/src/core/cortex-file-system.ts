import { statfsSync } from 'node:fs';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';
import type {
  AttrChange,
  AttrReply,
  Created,
  DirectoryEntry,
  Entry,
  FileSystem,
  FileSystemSize,
  Handle,
  NodeId,
  Opened,
  RequestContext,
} from './file-system.ts';
import { NAME_MAX, requireName } from './names.ts';
import { HandleTable } from './node/handles.ts';
import type { Node } from './node/node.ts';
import type { OpenDirectory } from './node/open-directory.ts';
import type { OpenFile } from './node/open-file.ts';
import { mainScope } from './projection/main-scope.ts';
import { MountRoot } from './projection/mount-root.ts';
import type { World } from './world.ts';
import { getXattr, listXattrs, refuseXattr } from './xattrs.ts';

/** The file system over one store: finds the node of each request, lets it act, and numbers what comes back. */
export class CortexFileSystem implements FileSystem {
  readonly #world: World;
  readonly #files = new HandleTable<OpenFile>();
  readonly #directories = new HandleTable<OpenDirectory>();

  constructor(world: World) {
    this.#world = world;
    world.nodes.setRoot(new MountRoot(mainScope(world)));
  }

  lookup(context: RequestContext, parent: NodeId, name: string): Entry {
    return this.#on(parent, (node) => this.#entry(node.lookup(context, requireName(name))), true);
  }

  forget(node: NodeId, count: number): void {
    this.#world.nodes.forget(node, count);
  }

  getattr(_context: RequestContext, node: NodeId, handle?: Handle): AttrReply {
    return this.#on(node, (found) => this.#attr(found, this.#file(handle)), true);
  }

  setattr(context: RequestContext, node: NodeId, change: AttrChange, handle?: Handle): AttrReply {
    return this.#on(node, (found) => {
      const file = this.#file(handle);
      found.setattr(context, change, file);
      return this.#attr(found, file);
    });
  }

  /** The kernel checks permissions itself; what is left is whether the node exists. */
  access(_context: RequestContext, node: NodeId, _mask: number): void {
    this.#on(node, (found) => found.attr());
  }

  readlink(_context: RequestContext, node: NodeId): string {
    return this.#on(node, (found) => found.readlink());
  }

  mknod(context: RequestContext, parent: NodeId, name: string, mode: number, rdev: number): Entry {
    return this.#on(parent, (node) => this.#entry(node.mknod(context, requireName(name), mode, rdev)));
  }

  mkdir(context: RequestContext, parent: NodeId, name: string, mode: number): Entry {
    return this.#on(parent, (node) => this.#entry(node.mkdir(context, requireName(name), mode)));
  }

  symlink(context: RequestContext, parent: NodeId, name: string, target: string): Entry {
    return this.#on(parent, (node) => this.#entry(node.symlink(context, requireName(name), target)));
  }

  link(context: RequestContext, node: NodeId, newParent: NodeId, newName: string): Entry {
    return this.#on(newParent, (parent) =>
      this.#entry(parent.link(context, this.#world.nodes.get(node), requireName(newName))),
    );
  }

  unlink(context: RequestContext, parent: NodeId, name: string): void {
    this.#on(parent, (node) => node.unlink(context, requireName(name)));
  }

  rmdir(context: RequestContext, parent: NodeId, name: string): void {
    this.#on(parent, (node) => node.rmdir(context, requireName(name)));
  }

  rename(
    context: RequestContext,
    parent: NodeId,
    name: string,
    newParent: NodeId,
    newName: string,
    flags: number,
  ): void {
    this.#on(parent, (node) => {
      const to = this.#world.nodes.get(newParent);
      node.rename(context, requireName(name), to, requireName(newName), flags);
    });
  }

  open(context: RequestContext, node: NodeId, flags: number): Opened {
    return this.#on(node, (found) => this.#opened(found.open(context, flags)));
  }

  create(context: RequestContext, parent: NodeId, name: string, mode: number, flags: number): Created {
    return this.#on(parent, (found) => {
      const { node, file } = found.create(context, requireName(name), mode, flags);
      try {
        return { entry: this.#entry(node), opened: this.#opened(file) };
      } catch (error) {
        file.release();
        throw error;
      }
    });
  }

  read(_context: RequestContext, node: NodeId, handle: Handle, offset: number, size: number): Buffer {
    return this.#on(node, () => this.#files.get(handle).read(offset, size));
  }

  write(context: RequestContext, node: NodeId, handle: Handle, offset: number, data: Buffer): number {
    return this.#on(node, () => this.#files.get(handle).write(context, offset, data));
  }

  flush(context: RequestContext, node: NodeId, handle: Handle): void {
    this.#on(node, () => this.#files.get(handle).flush(context));
  }

  fsync(context: RequestContext, node: NodeId, handle: Handle, dataOnly: boolean): void {
    this.#on(node, () => this.#files.get(handle).fsync(context, dataOnly));
  }

  release(_node: NodeId, handle: Handle): void {
    this.#world.places.startRequest();
    this.#files.take(handle)?.release();
  }

  opendir(context: RequestContext, node: NodeId, _flags: number): Opened {
    return this.#on(node, (found) => ({
      handle: this.#directories.add(found.opendir(context)),
      direct: false,
      keepCache: false,
    }));
  }

  readdir(
    _context: RequestContext,
    node: NodeId,
    handle: Handle,
    offset: number,
    limit: number,
  ): DirectoryEntry[] {
    return this.#on(node, () => this.#directories.get(handle).read(offset, limit));
  }

  fsyncdir(_context: RequestContext, node: NodeId, _handle: Handle, _dataOnly: boolean): void {
    this.#on(node, (found) => found.fsyncdir());
  }

  releasedir(_node: NodeId, handle: Handle): void {
    this.#directories.take(handle);
  }

  statfs(_context: RequestContext, node: NodeId): FileSystemSize {
    return this.#on(node, () => {
      const { store } = this.#world;
      const size = statfsSync(store.descriptorPath(store.root));
      return {
        blockSize: size.bsize,
        blocks: size.blocks,
        blocksFree: size.bfree,
        blocksAvailable: size.bavail,
        files: size.files,
        filesFree: size.ffree,
        nameMax: NAME_MAX,
      };
    });
  }

  getxattr(_context: RequestContext, node: NodeId, name: string): Buffer {
    return this.#on(node, (found) => getXattr(found, name));
  }

  listxattr(_context: RequestContext, node: NodeId): string[] {
    return this.#on(node, (found) => listXattrs(found));
  }

  setxattr(_context: RequestContext, node: NodeId, name: string, _value: Buffer, _flags: number): void {
    this.#on(node, (found) => refuseXattr(found, name));
  }

  removexattr(_context: RequestContext, node: NodeId, name: string): void {
    this.#on(node, (found) => refuseXattr(found, name));
  }

  destroy(): void {
    for (const file of this.#files.takeAll()) file.release();
    this.#directories.takeAll();
    this.#world.digests.close();
    this.#world.store.close();
  }

  /** Runs one request. Whatever is thrown becomes a CortexError that names the path; a request never ends the mount. */
  #on<T>(id: NodeId, request: (node: Node) => T, onlyLooks = false): T {
    const node = this.#world.nodes.get(id);
    this.#world.places.startRequest(onlyLooks);
    try {
      return request(node);
    } catch (error) {
      throw error instanceof CortexError
        ? withContext(error, { path: node.path() })
        : fromNodeError(error, { path: node.path(), layer: 'store' });
    }
  }

  #entry(node: Node): Entry {
    const attr = node.attr();
    this.#world.nodes.remember(node);
    const { entry, attr: attrTtl } = node.ttl;
    return { node: node.id, generation: 0, attr, entryTtl: entry, attrTtl };
  }

  #attr(node: Node, file: OpenFile | undefined): AttrReply {
    return { attr: file?.attr() ?? node.attr(), attrTtl: node.ttl.attr };
  }

  #file(handle: Handle | undefined): OpenFile | undefined {
    return handle === undefined ? undefined : this.#files.get(handle);
  }

  #opened(file: OpenFile): Opened {
    const handle = this.#files.add(file);
    const { fd, direct, keepCache } = file;
    return fd === undefined ? { handle, direct, keepCache } : { handle, fd, direct, keepCache };
  }
}
