/**
 * The file system as a transport sees it: inode numbers in, plain values out, synchronous, errors thrown as
 * `CortexError` with a Linux errno name (docs/mount.md). It knows nothing of the FUSE protocol.
 *
 * The transport must mount with `default_permissions`: the kernel checks the mode bits that `getattr` reports against
 * the real credentials of the caller, supplementary groups and sticky bits included. The file system adds the rules
 * that mode bits cannot express, from the `RequestContext` of each call.
 */
export interface FileSystem {
  /** Each successful call adds one to the node's lookup count, as does every other method that returns an `Entry`. */
  lookup(context: RequestContext, parent: NodeId, name: string): Entry;
  /** Takes `count` off the lookup count; at zero the node is gone. Never throws. */
  forget(node: NodeId, count: number): void;

  getattr(context: RequestContext, node: NodeId, handle?: Handle): AttrReply;
  setattr(context: RequestContext, node: NodeId, change: AttrChange, handle?: Handle): AttrReply;
  access(context: RequestContext, node: NodeId, mask: number): void;
  /** The target, at most 4095 bytes, exactly as the kernel shall follow it. */
  readlink(context: RequestContext, node: NodeId): string;

  /** `mode` carries the file type; the caller's umask is already applied (mount without FUSE_DONT_MASK). */
  mknod(context: RequestContext, parent: NodeId, name: string, mode: number, rdev: number): Entry;
  mkdir(context: RequestContext, parent: NodeId, name: string, mode: number): Entry;
  symlink(context: RequestContext, parent: NodeId, name: string, target: string): Entry;
  link(context: RequestContext, node: NodeId, newParent: NodeId, newName: string): Entry;
  unlink(context: RequestContext, parent: NodeId, name: string): void;
  rmdir(context: RequestContext, parent: NodeId, name: string): void;
  /** `flags` are those of renameat2(2): 0, RENAME_NOREPLACE (1) or RENAME_EXCHANGE (2). */
  rename(
    context: RequestContext,
    parent: NodeId,
    name: string,
    newParent: NodeId,
    newName: string,
    flags: number,
  ): void;

  /** `flags` are those of open(2), without O_CREAT and O_EXCL. O_TRUNC is honoured here. */
  open(context: RequestContext, node: NodeId, flags: number): Opened;
  create(context: RequestContext, parent: NodeId, name: string, mode: number, flags: number): Created;
  /** At most `size` bytes; fewer only at the end of the file. */
  read(context: RequestContext, node: NodeId, handle: Handle, offset: number, size: number): Buffer;
  /** All bytes of `data` or an error. `data` is only valid during the call. */
  write(context: RequestContext, node: NodeId, handle: Handle, offset: number, data: Buffer): number;
  /** One close(2) of a descriptor: an edited control is validated and committed here, so close(2) reports EINVAL. */
  flush(context: RequestContext, node: NodeId, handle: Handle): void;
  fsync(context: RequestContext, node: NodeId, handle: Handle, dataOnly: boolean): void;
  /** The last descriptor is gone. Never throws; the handle is invalid afterwards. */
  release(node: NodeId, handle: Handle): void;

  opendir(context: RequestContext, node: NodeId, flags: number): Opened;
  /**
   * At most `limit` entries after the one whose `cookie` is `offset` (0: from the start), `.` and `..` first, from a
   * snapshot taken by `opendir` and renewed at offset 0. For READDIRPLUS a transport calls `lookup` for each entry that fits.
   */
  readdir(
    context: RequestContext,
    node: NodeId,
    handle: Handle,
    offset: number,
    limit: number,
  ): DirectoryEntry[];
  fsyncdir(context: RequestContext, node: NodeId, handle: Handle, dataOnly: boolean): void;
  releasedir(node: NodeId, handle: Handle): void;

  statfs(context: RequestContext, node: NodeId): FileSystemSize;

  getxattr(context: RequestContext, node: NodeId, name: string): Buffer;
  listxattr(context: RequestContext, node: NodeId): string[];
  setxattr(context: RequestContext, node: NodeId, name: string, value: Buffer, flags: number): void;
  removexattr(context: RequestContext, node: NodeId, name: string): void;

  /** The mount has ended: closes every descriptor. Never throws. */
  destroy(): void;
}

/** Number of an inode towards the kernel, a safe integer; the root is `ROOT_NODE`. */
export type NodeId = number;
export const ROOT_NODE: NodeId = 1;

/** Number of an open file or directory, a safe integer. */
export type Handle = number;

/** Who asks. `pid` is 0 when the caller lives in another pid namespace. */
export interface RequestContext {
  readonly uid: number;
  readonly gid: number;
  readonly pid: number;
  /** The caller's supplementary groups, read from /proc on demand; empty when they cannot be known. */
  groups(): readonly number[];
}

/** Attributes in the units of stat(2); times in nanoseconds since the epoch. */
export interface Attr {
  readonly ino: bigint;
  /** Type and permission bits. */
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly size: number;
  readonly blocks: number;
  readonly blksize: number;
  readonly atimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A name resolved to a node. Times to live are in milliseconds; 0 means that the kernel must ask again. */
export interface Entry {
  readonly node: NodeId;
  readonly generation: number;
  readonly attr: Attr;
  readonly entryTtl: number;
  readonly attrTtl: number;
}

export interface AttrReply {
  readonly attr: Attr;
  readonly attrTtl: number;
}

/** Only what is present changes. `'now'` is the time of the call. */
export interface AttrChange {
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly size?: number;
  readonly atime?: bigint | 'now';
  readonly mtime?: bigint | 'now';
}

export interface Opened {
  readonly handle: Handle;
  /** A real descriptor on the bytes, where they pass through: the transport may read, write and fsync it at any offset. It stays owned by the file system. */
  readonly fd?: number;
  /** FOPEN_DIRECT_IO: reads bypass the page cache, because the content is a snapshot made at open. */
  readonly direct: boolean;
  /** FOPEN_KEEP_CACHE: pages cached from earlier opens are still right. */
  readonly keepCache: boolean;
}

export interface Created {
  readonly entry: Entry;
  readonly opened: Opened;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly ino: bigint;
  /** The S_IFMT bits of its mode, 0 when unknown. */
  readonly type: number;
  /** Where to go on after this entry. */
  readonly cookie: number;
}

/** In the units of statvfs(3). */
export interface FileSystemSize {
  readonly blockSize: number;
  readonly blocks: number;
  readonly blocksFree: number;
  readonly blocksAvailable: number;
  readonly files: number;
  readonly filesFree: number;
  readonly nameMax: number;
}
