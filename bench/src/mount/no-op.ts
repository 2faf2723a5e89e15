// A fuse-native file system that does as little as one can, with the shape of a store: what is measured against.
// Its arguments are where to mount and, unless the usual second is meant, how long attributes are remembered, in seconds.
import { createRequire } from 'node:module';
import { controlNames } from './agents.ts';

interface Stat {
  readonly mode: number;
  readonly size: number;
  readonly uid: number;
  readonly gid: number;
  readonly nlink: number;
  readonly mtime: Date;
  readonly atime: Date;
  readonly ctime: Date;
}

interface Fuse {
  mount(done: (error: Error | null) => void): void;
}
type FuseClass = new (root: string, operations: Record<string, unknown>, options: object) => Fuse;

const FuseNative = createRequire(import.meta.url)('fuse-native') as FuseClass;
const SIZE = 4096;
const content = Buffer.alloc(SIZE, 'x');
const time = new Date();
const [uid, gid] = [process.geteuid!(), process.getegid!()];
const directory: Stat = { mode: 0o40755, size: 0, uid, gid, nlink: 1, mtime: time, atime: time, ctime: time };
const file: Stat = { ...directory, mode: 0o100644, size: SIZE };

/** Files are three names deep or deeper, and agents' directories end in `.d`. */
function statOf(path: string): Stat {
  if (path.startsWith('/home/')) return path.split('/').length > 4 ? file : directory;
  return path.split('/').length > 3 ? file : directory;
}

const operations = {
  readdir: (_: string, done: (error: number, names: string[]) => void) => done(0, controlNames),
  getattr: (path: string, done: (error: number, stat: Stat) => void) => done(0, statOf(path)),
  open: (_: string, _flags: number, done: (error: number, file: number) => void) => done(0, 1),
  release: (_: string, _file: number, done: (error: number) => void) => done(0),
  read: (
    _: string,
    _file: number,
    target: Buffer,
    length: number,
    offset: number,
    done: (count: number) => void,
  ) => done(offset >= SIZE ? 0 : content.copy(target, 0, offset, offset + length)),
};

const [root, attrTimeout] = process.argv.slice(2);
// As text: the number 0 would be ignored.
new FuseNative(root!, operations, { attrTimeout }).mount((error) => {
  if (error) throw error;
});
