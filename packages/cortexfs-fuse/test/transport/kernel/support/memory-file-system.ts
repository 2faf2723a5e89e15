import { closeSync, openSync, statSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type {
  Attr,
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
} from '../../../../src/core/file-system.ts';

const S_IFDIR = 0o040000;
const S_IFREG = 0o100000;
const S_IFLNK = 0o120000;
const S_IFMT = 0o170000;

interface MemoryNode {
  readonly node: NodeId;
  attr: Attr;
  data: Buffer;
  children: Map<string, MemoryNode>;
  xattrs: Map<string, Buffer>;
  /** A real file whose descriptor is handed to the transport. */
  backing?: string;
  /** Its content is made at each open from who opens it. */
  dynamic?: (context: RequestContext) => string;
  lookups: number;
}

export interface MemoryOptions {
  /** Names in the root whose bytes are those of a real file. */
  readonly backed?: Record<string, string>;
  readonly ttl?: number;
}

/** A file system in memory for tests of the transport, with a `whoami` file that tells who opened it. */
export class MemoryFileSystem implements FileSystem {
  readonly nodes = new Map<NodeId, MemoryNode>();
  readonly handles = new Map<Handle, { data?: string; fd?: number; names?: DirectoryEntry[] }>();
  readonly released: Handle[] = [];
  destroyed = false;
  readonly #ttl: number;
  #next = 1;

  constructor({ backed = {}, ttl = 1000 }: MemoryOptions = {}) {
    this.#ttl = ttl;
    const root = this.#add(S_IFDIR | 0o755, { uid: process.geteuid!(), gid: process.getegid!() });
    const whoami = this.#add(S_IFREG | 0o444, root.attr);
    whoami.dynamic = (context) => {
      const { uid, gid, pid } = context;
      return `${JSON.stringify({ uid, gid, pid, groups: context.groups() })}\n`;
    };
    root.children.set('whoami', whoami);
    for (const [name, path] of Object.entries(backed)) {
      const node = this.#add(S_IFREG | 0o644, root.attr);
      node.backing = path;
      root.children.set(name, node);
    }
  }

  lookup(_: RequestContext, parent: NodeId, name: string): Entry {
    return this.#entry(this.#child(parent, name));
  }

  forget(node: NodeId, count: number): void {
    const found = this.nodes.get(node);
    if (found) found.lookups -= count;
  }

  getattr(_: RequestContext, node: NodeId): AttrReply {
    return this.#attr(this.#node(node));
  }

  setattr(context: RequestContext, node: NodeId, change: AttrChange): AttrReply {
    const found = this.#node(node);
    if (change.uid !== undefined && context.uid !== 0 && change.uid !== found.attr.uid)
      throw new CortexError('EPERM', 'not yours');
    const now = BigInt(Date.now()) * 1_000_000n;
    const { size, mode, uid, gid, atime, mtime } = change;
    if (size !== undefined) this.#resize(found, size);
    found.attr = {
      ...found.attr,
      ...(mode !== undefined && { mode: (found.attr.mode & S_IFMT) | (mode & 0o7777) }),
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
      ...(atime !== undefined && { atimeNs: atime === 'now' ? now : atime }),
      ...(mtime !== undefined && { mtimeNs: mtime === 'now' ? now : mtime }),
    };
    return this.#attr(found);
  }

  access(): void {}

  readlink(_: RequestContext, node: NodeId): string {
    return this.#node(node).data.toString();
  }

  mknod(context: RequestContext, parent: NodeId, name: string, mode: number): Entry {
    return this.#entry(this.#make(context, parent, name, mode));
  }

  mkdir(context: RequestContext, parent: NodeId, name: string, mode: number): Entry {
    return this.#entry(this.#make(context, parent, name, S_IFDIR | mode));
  }

  symlink(context: RequestContext, parent: NodeId, name: string, target: string): Entry {
    const made = this.#make(context, parent, name, S_IFLNK | 0o777);
    this.#put(made, Buffer.from(target));
    return this.#entry(made);
  }

  link(_: RequestContext, node: NodeId, newParent: NodeId, newName: string): Entry {
    const found = this.#node(node);
    this.#free(newParent, newName).set(newName, found);
    found.attr = { ...found.attr, nlink: found.attr.nlink + 1 };
    return this.#entry(found);
  }

  unlink(_: RequestContext, parent: NodeId, name: string): void {
    const found = this.#child(parent, name);
    found.attr = { ...found.attr, nlink: found.attr.nlink - 1 };
    this.#node(parent).children.delete(name);
  }

  rmdir(_: RequestContext, parent: NodeId, name: string): void {
    if (this.#child(parent, name).children.size > 0) throw new CortexError('ENOTEMPTY', 'not empty');
    this.#node(parent).children.delete(name);
  }

  rename(
    _: RequestContext,
    parent: NodeId,
    name: string,
    newParent: NodeId,
    newName: string,
    flags: number,
  ): void {
    const found = this.#child(parent, name);
    const other = this.#node(newParent).children.get(newName);
    if (flags === 1 && other) throw new CortexError('EEXIST', 'exists');
    if (flags === 2 && !other) throw new CortexError('ENOENT', 'missing');
    this.#node(parent).children.delete(name);
    this.#node(newParent).children.set(newName, found);
    if (flags === 2 && other) this.#node(parent).children.set(name, other);
  }

  open(context: RequestContext, node: NodeId, flags: number): Opened {
    const found = this.#node(node);
    if (found.data.toString() === 'fault') throw new TypeError('a fault of the file system');
    if ((flags & 0o1000) !== 0) this.#resize(found, 0);
    if (found.backing !== undefined) {
      const fd = openSync(found.backing, 'r+');
      return { ...this.#handle({ fd }), fd, direct: false, keepCache: false };
    }
    if (found.dynamic)
      return { ...this.#handle({ data: found.dynamic(context) }), direct: true, keepCache: false };
    return { ...this.#handle({}), direct: false, keepCache: true };
  }

  create(context: RequestContext, parent: NodeId, name: string, mode: number): Created {
    const entry = this.#entry(this.#make(context, parent, name, mode));
    return { entry, opened: { ...this.#handle({}), direct: false, keepCache: false } };
  }

  read(_: RequestContext, node: NodeId, handle: Handle, offset: number, size: number): Buffer {
    const { data } = this.handles.get(handle)!;
    const bytes = data === undefined ? this.#node(node).data : Buffer.from(data);
    return bytes.subarray(offset, offset + size);
  }

  write(_: RequestContext, node: NodeId, _handle: Handle, offset: number, data: Buffer): number {
    const found = this.#node(node);
    const size = Math.max(found.data.length, offset + data.length);
    const grown = Buffer.alloc(size);
    found.data.copy(grown);
    data.copy(grown, offset);
    this.#put(found, grown);
    return data.length;
  }

  flush(_: RequestContext, node: NodeId): void {
    if (this.#node(node).data.toString() === 'bad value\n') throw new CortexError('EINVAL', 'a bad value');
  }

  fsync(): void {}
  fsyncdir(): void {}

  release(_: NodeId, handle: Handle): void {
    const fd = this.handles.get(handle)?.fd;
    if (fd !== undefined) closeSync(fd);
    this.handles.delete(handle);
    this.released.push(handle);
  }

  opendir(_: RequestContext, node: NodeId): Opened {
    const found = this.#node(node);
    const listed = [...found.children].map(([name, child]) => ({
      name,
      ino: child.attr.ino,
      type: child.attr.mode & S_IFMT,
    }));
    const dots = ['.', '..'].map((name) => ({ name, ino: found.attr.ino, type: S_IFDIR }));
    const names = [...dots, ...listed].map((entry, index) => ({ ...entry, cookie: index + 1 }));
    return { ...this.#handle({ names }), direct: false, keepCache: false };
  }

  readdir(_: RequestContext, _node: NodeId, handle: Handle, offset: number, limit: number): DirectoryEntry[] {
    return this.handles.get(handle)!.names!.slice(offset, offset + limit);
  }

  releasedir(_: NodeId, handle: Handle): void {
    this.release(_, handle);
  }

  statfs(): FileSystemSize {
    return {
      blockSize: 4096,
      blocks: 1000,
      blocksFree: 500,
      blocksAvailable: 400,
      files: 100,
      filesFree: 50,
      nameMax: 255,
    };
  }

  getxattr(_: RequestContext, node: NodeId, name: string): Buffer {
    const value = this.#node(node).xattrs.get(name);
    if (value === undefined) throw new CortexError('ENODATA', 'no such attribute');
    return value;
  }

  listxattr(_: RequestContext, node: NodeId): string[] {
    return [...this.#node(node).xattrs.keys()];
  }

  setxattr(_: RequestContext, node: NodeId, name: string, value: Buffer): void {
    this.#node(node).xattrs.set(name, Buffer.from(value));
  }

  removexattr(_: RequestContext, node: NodeId, name: string): void {
    if (!this.#node(node).xattrs.delete(name)) throw new CortexError('ENODATA', 'no such attribute');
  }

  destroy(): void {
    this.destroyed = true;
  }

  #add(mode: number, { uid, gid }: { uid: number; gid: number }): MemoryNode {
    const node = this.#next++;
    const time = BigInt(Date.now()) * 1_000_000n;
    const times = { atimeNs: time, mtimeNs: time, ctimeNs: time };
    const nlink = (mode & S_IFMT) === S_IFDIR ? 2 : 1;
    const attr = {
      ino: BigInt(node),
      mode,
      nlink,
      uid,
      gid,
      rdev: 0,
      size: 0,
      blocks: 0,
      blksize: 4096,
      ...times,
    };
    const made = { node, attr, data: Buffer.alloc(0), children: new Map(), xattrs: new Map(), lookups: 0 };
    this.nodes.set(node, made);
    return made;
  }

  #make(context: RequestContext, parent: NodeId, name: string, mode: number): MemoryNode {
    const children = this.#free(parent, name);
    const made = this.#add(mode, context);
    children.set(name, made);
    return made;
  }

  #free(parent: NodeId, name: string): Map<string, MemoryNode> {
    const { children } = this.#node(parent);
    if (children.has(name)) throw new CortexError('EEXIST', 'exists');
    return children;
  }

  #node(node: NodeId): MemoryNode {
    const found = this.nodes.get(node);
    if (!found) throw new CortexError('ESTALE', 'no such node');
    return found;
  }

  #child(parent: NodeId, name: string): MemoryNode {
    const found = this.#node(parent).children.get(name);
    if (!found) throw new CortexError('ENOENT', 'no such name');
    return found;
  }

  #entry(found: MemoryNode): Entry {
    found.lookups++;
    return {
      node: found.node,
      generation: 0,
      attr: this.#attr(found).attr,
      entryTtl: this.#ttl,
      attrTtl: this.#ttl,
    };
  }

  #attr(found: MemoryNode): AttrReply {
    const size = found.backing === undefined ? found.data.length : sizeOf(found.backing);
    return { attr: { ...found.attr, size, blocks: Math.ceil(size / 512) }, attrTtl: this.#ttl };
  }

  #resize(found: MemoryNode, size: number): void {
    const resized = Buffer.alloc(size);
    found.data.copy(resized);
    this.#put(found, resized);
  }

  #put(found: MemoryNode, data: Buffer): void {
    found.data = data;
    found.attr = { ...found.attr, mtimeNs: BigInt(Date.now()) * 1_000_000n };
  }

  #handle(content: { data?: string; fd?: number; names?: DirectoryEntry[] }): { handle: Handle } {
    const handle = this.#next++;
    this.handles.set(handle, content);
    return { handle };
  }
}

function sizeOf(path: string): number {
  return statSync(path).size;
}
