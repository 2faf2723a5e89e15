import { constants, fdatasync, fsync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { CortexError } from '@cortexfs/abi/errors';
import type {
  Attr,
  AttrChange,
  DirectoryEntry,
  FileSystem,
  FileSystemSize,
  RequestContext,
} from '../../core/file-system.ts';
import { readWhole } from '../read-whole.ts';
import { Hides, isHiddenName } from './hides.ts';
import { KeptNodes } from './kept-nodes.ts';
import { OpenFiles } from './open-files.ts';
import { Paths } from './paths.ts';

const LISTED_AT_ONCE = 1024;
const O_ACCMODE = 3;

/**
 * A file system of nodes as one of paths, which is how libfuse asks. Open files have numbers of 31 bits. Errors are those
 * of the file system; also EILSEQ for names that are not UTF-8 and EBADF for numbers that are not open.
 */
export class PathFileSystem {
  readonly #fileSystem: FileSystem;
  readonly #context: RequestContext;
  readonly #kept: KeptNodes;
  readonly #paths: Paths;
  readonly #files = new OpenFiles();
  readonly #hides = new Hides();

  constructor(fileSystem: FileSystem, context: RequestContext, kept = new KeptNodes(fileSystem)) {
    this.#fileSystem = fileSystem;
    this.#context = context;
    this.#kept = kept;
    this.#paths = new Paths(fileSystem, context, kept);
  }

  /** To be called after each request: only then nodes may be forgotten. */
  requestEnds(): void {
    this.#kept.trim();
  }

  getattr(path: string): Attr {
    this.#hides.asked(path);
    const open = isHiddenName(path) ? this.#files.at(path) : undefined;
    if (open) return this.#fileSystem.getattr(this.#context, open.node, open.handle).attr;
    return this.#paths.attr(path);
  }

  fgetattr(number: number): Attr {
    const { node, handle } = this.#files.get(number);
    return this.#fileSystem.getattr(this.#context, node, handle).attr;
  }

  setattr(path: string, change: AttrChange): void {
    this.#fileSystem.setattr(this.#context, this.#paths.node(path), change);
  }

  fsetattr(number: number, change: AttrChange): void {
    const { node, handle } = this.#files.get(number);
    this.#fileSystem.setattr(this.#context, node, change, handle);
  }

  readlink(path: string): string {
    return this.#fileSystem.readlink(this.#context, this.#paths.node(path));
  }

  mknod(path: string, mode: number, rdev: number): void {
    const { parent, name } = this.#paths.place(path);
    this.#kept.keep(this.#fileSystem.mknod(this.#context, parent, name, mode, rdev));
  }

  mkdir(path: string, mode: number): void {
    const { parent, name } = this.#paths.place(path);
    this.#kept.keep(this.#fileSystem.mkdir(this.#context, parent, name, mode));
  }

  symlink(target: string, path: string): void {
    const { parent, name } = this.#paths.place(path);
    this.#kept.keep(this.#fileSystem.symlink(this.#context, parent, name, target));
  }

  link(from: string, to: string): void {
    const node = this.#paths.node(from);
    const { parent, name } = this.#paths.place(to);
    this.#kept.keep(this.#fileSystem.link(this.#context, node, parent, name));
  }

  /** Also called when a hidden file is closed, for its hidden name. */
  unlink(path: string): void {
    const hide = this.#hides.closed(path);
    this.#unlink(hide?.inPlace ? hide.original : path);
  }

  #unlink(path: string): void {
    const { parent, name } = this.#paths.place(path);
    this.#fileSystem.unlink(this.#context, parent, name);
  }

  rmdir(path: string): void {
    this.#requireNoneOpenBelow(path);
    const { parent, name } = this.#paths.place(path);
    this.#fileSystem.rmdir(this.#context, parent, name);
  }

  rename(from: string, to: string): void {
    if (isHiddenName(to)) {
      this.#hide(from, to);
      return;
    }
    this.#requireNoneOpenBelow(to);
    const madeRoom = this.#hides.followed(to);
    try {
      this.#rename(from, to);
    } catch (error) {
      // What made room has its name back, and the refusal has cost nothing.
      if (madeRoom && !madeRoom.inPlace) this.#rename(madeRoom.hidden, to);
      throw error;
    }
  }

  #rename(from: string, to: string): void {
    const [source, target] = [this.#paths.place(from), this.#paths.place(to)];
    this.#fileSystem.rename(this.#context, source.parent, source.name, target.parent, target.name, 0);
    this.#files.moved(from, to);
  }

  #hide(original: string, hidden: string): void {
    const inPlace = this.#staysInPlace(original);
    if (inPlace) this.#files.moved(original, hidden);
    else this.#rename(original, hidden);
    this.#hides.add({ original, hidden, inPlace });
  }

  /** Controls and the temporary files beside them. */
  #staysInPlace(path: string): boolean {
    try {
      const attribute = (name: string) => this.getxattr(path, `user.cortexfs.${name}`).toString();
      const kind = attribute('kind');
      return kind.endsWith('.control') || (kind === 'ctx.unknown' && attribute('storage') === 'memory');
    } catch {
      return false;
    }
  }

  /** libfuse would have no path for them any more, and the add-on cannot do without one. */
  #requireNoneOpenBelow(path: string): void {
    if (this.#files.anyBelow(path)) throw new CortexError('ENOTEMPTY', 'files in it are open', { path });
  }

  open(path: string, flags: number): number {
    const node = this.#paths.node(path);
    if ((flags & O_ACCMODE) !== constants.O_RDONLY) this.#hides.used(path);
    const number = this.#files.add(path, node, this.#fileSystem.open(this.#context, node, flags));
    this.#kept.pin(node);
    return number;
  }

  /** What the caller wants to do with the file is not told, so it is opened for both; the kernel holds the caller to it. */
  create(path: string, mode: number): number {
    const { parent, name } = this.#paths.place(path);
    const { entry, opened } = this.#fileSystem.create(this.#context, parent, name, mode, constants.O_RDWR);
    const node = this.#kept.keep(entry);
    this.#kept.pin(node);
    this.#hides.used(path);
    return this.#files.add(path, node, opened);
  }

  /** Fills `target` from its start; fewer bytes than it takes only at the end of the file. */
  read(number: number, target: Buffer, offset: number): number {
    const { node, handle, fd } = this.#files.get(number);
    if (fd !== undefined) return readWhole(fd, target, 0, target.length, offset);
    return this.#fileSystem.read(this.#context, node, handle, offset, target.length).copy(target);
  }

  write(number: number, data: Buffer, offset: number): number {
    const { node, handle, fd } = this.#files.get(number);
    if (fd !== undefined) return writeSync(fd, data, 0, data.length, offset);
    return this.#fileSystem.write(this.#context, node, handle, offset, data);
  }

  flush(number: number): void {
    const { node, handle } = this.#files.get(number);
    this.#fileSystem.flush(this.#context, node, handle);
  }

  /** Where the bytes pass through, others are answered meanwhile. The caller keeps the file open until it is done. */
  fsync(number: number, dataOnly: boolean): undefined | Promise<void> {
    const { node, handle, fd } = this.#files.get(number);
    if (fd !== undefined) return dataOnly ? promisify(fdatasync)(fd) : promisify(fsync)(fd);
    this.#fileSystem.fsync(this.#context, node, handle, dataOnly);
    return undefined;
  }

  release(number: number): void {
    const file = this.#files.take(number);
    if (file === undefined) return;
    this.#fileSystem.release(file.node, file.handle);
    this.#kept.unpin(file.node);
  }

  /** The whole directory, `.` and `..` first. */
  readdir(path: string): DirectoryEntry[] {
    const node = this.#paths.node(path);
    const { handle } = this.#fileSystem.opendir(this.#context, node, constants.O_RDONLY);
    try {
      const all: DirectoryEntry[] = [];
      for (let offset = 0; ; ) {
        const some = this.#fileSystem.readdir(this.#context, node, handle, offset, LISTED_AT_ONCE);
        const last = some.at(-1);
        if (last === undefined) return all;
        for (const entry of some) all.push(entry);
        offset = last.cookie;
      }
    } finally {
      this.#fileSystem.releasedir(node, handle);
    }
  }

  fsyncdir(path: string, dataOnly: boolean): void {
    const node = this.#paths.node(path);
    const { handle } = this.#fileSystem.opendir(this.#context, node, constants.O_RDONLY);
    try {
      this.#fileSystem.fsyncdir(this.#context, node, handle, dataOnly);
    } finally {
      this.#fileSystem.releasedir(node, handle);
    }
  }

  statfs(path: string): FileSystemSize {
    return this.#fileSystem.statfs(this.#context, this.#paths.node(path));
  }

  getxattr(path: string, name: string): Buffer {
    return this.#fileSystem.getxattr(this.#context, this.#paths.node(path), name);
  }

  /** As listxattr(2) gives them: each name ends with a zero byte. */
  listxattr(path: string): Buffer {
    const names = this.#fileSystem.listxattr(this.#context, this.#paths.node(path));
    return Buffer.from(names.map((name) => `${name}\0`).join(''));
  }

  setxattr(path: string, name: string, value: Buffer, flags: number): void {
    this.#fileSystem.setxattr(this.#context, this.#paths.node(path), name, value, flags);
  }

  removexattr(path: string, name: string): void {
    this.#fileSystem.removexattr(this.#context, this.#paths.node(path), name);
  }

  destroy(): void {
    this.#fileSystem.destroy();
  }
}
