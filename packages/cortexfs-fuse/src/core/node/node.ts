import type { Attr, AttrChange, NodeId, RequestContext } from '../file-system.ts';
import { missing, refuse } from '../refuse.ts';
import type { Kind, Origin, Storage } from './kind.ts';
import type { OpenDirectory } from './open-directory.ts';
import type { OpenFile } from './open-file.ts';

/** How long the kernel may go without asking again, in milliseconds. */
export interface Ttl {
  readonly entry: number;
  readonly attr: number;
}

/**
 * Something with a name that the kernel may ask about. A node refuses every operation that its class does not
 * offer, so that a class is the list of what is possible.
 */
export abstract class Node {
  /** 0 until the kernel knows it. */
  id: NodeId = 0;
  lookups = 0;
  /** Equal keys mean the same node. Changed by the node table alone. */
  key: string;

  constructor(key: string) {
    this.key = key;
  }

  /** Relative to the root of the mount; of a view, below `.view/NAME`. */
  abstract path(): string;
  abstract attr(): Attr;
  abstract readonly ttl: Ttl;
  abstract readonly kind: Kind;
  abstract readonly origin: Origin;
  abstract readonly storage: Storage;

  setattr(_context: RequestContext, _change: AttrChange, _file?: OpenFile): void {
    throw this.fixed();
  }

  readlink(): string {
    throw refuse('EINVAL', this.path(), 'not a symbolic link');
  }

  open(_context: RequestContext, _flags: number): OpenFile {
    throw refuse('EACCES', this.path(), 'not a file that can be opened here');
  }

  opendir(_context: RequestContext): OpenDirectory {
    throw this.notADirectory();
  }

  lookup(_context: RequestContext, _name: string): Node {
    throw this.notADirectory();
  }

  create(
    _context: RequestContext,
    _name: string,
    _mode: number,
    _flags: number,
  ): { node: Node; file: OpenFile } {
    throw this.fixed();
  }

  mknod(_context: RequestContext, _name: string, _mode: number, _rdev: number): Node {
    throw this.fixed();
  }

  mkdir(_context: RequestContext, _name: string, _mode: number): Node {
    throw this.fixed();
  }

  symlink(_context: RequestContext, _name: string, _target: string): Node {
    throw this.fixed();
  }

  /** Makes `name` in this directory another name of `node`. */
  link(_context: RequestContext, node: Node, _name: string): Node {
    throw node.fixed();
  }

  unlink(_context: RequestContext, _name: string): void {
    throw this.fixed();
  }

  rmdir(_context: RequestContext, _name: string): void {
    throw this.fixed();
  }

  rename(_context: RequestContext, _name: string, _to: Node, _newName: string, _flags: number): void {
    throw this.fixed();
  }

  fsyncdir(): void {}

  /** The kernel has dropped its last reference. */
  forgotten(): void {}

  /** The refusal of a change to something that the mount makes up. */
  fixed() {
    return refuse('EPERM', this.path(), 'this part of the tree is a projection and cannot be changed here');
  }

  absent(name: string) {
    return missing(this.path(), name);
  }

  private notADirectory() {
    return refuse('ENOTDIR', this.path(), 'not a directory');
  }
}
