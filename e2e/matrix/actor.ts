import * as fs from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { koffi } from '@cortexfs/linux/native';
import { makeSpecialFile } from '@cortexfs/linux/special-file';

/** One operation on a path below the root. */
export interface Act {
  readonly op: string;
  readonly path: string;
  readonly argument: string;
}

/**
 * Performs operations, given as JSON on standard input, one after the other as the user who runs it, and prints the errno
 * name of each as JSON: `ok` where there is none. Every operation is the system calls that its name says and no more.
 */
const operations: Record<string, (path: string, argument: string) => unknown> = {
  stat: (path) => fs.lstatSync(path),
  list: (path) => fs.readdirSync(path),
  read: (path) => fs.readFileSync(path),
  readlink: (path) => fs.readlinkSync(path),
  executable: (path) => fs.accessSync(path, fs.constants.X_OK),
  /** open(O_WRONLY|O_TRUNC), write, close: without O_CREAT. */
  write: (path, argument) => put(path, 'r+', argument, true),
  append: (path, argument) => put(path, fs.constants.O_WRONLY | fs.constants.O_APPEND, argument, false),
  truncate: (path) => fs.truncateSync(path, 0),
  create: (path, argument) => put(path, 'wx', argument, false),
  /** The way of editors: a temporary file beside it, renamed over it. */
  replace: (path, argument) => {
    const temporary = `${path.slice(0, path.lastIndexOf('/'))}/.new-${process.getuid!()}`;
    put(temporary, 'wx', argument, false);
    try {
      fs.renameSync(temporary, path);
    } catch (error) {
      fs.unlinkSync(temporary);
      throw error;
    }
  },
  remove: (path) => fs.unlinkSync(path),
  mkdir: (path) => fs.mkdirSync(path),
  rmdir: (path) => fs.rmdirSync(path),
  rename: (path, argument) => fs.renameSync(path, argument),
  link: (path, argument) => fs.linkSync(path, argument),
  /** A link at the path; the argument is what it says. */
  symlink: (path, argument) => fs.symlinkSync(argument, path),
  /** The same, and taken away again, so that the next one can do it too. */
  alias: (path, argument) => {
    fs.symlinkSync(argument, path);
    fs.unlinkSync(path);
  },
  mkfifo: (path) => makeSpecialFile(path, fs.constants.S_IFIFO | 0o600),
  mksocket: (path) => makeSpecialFile(path, fs.constants.S_IFSOCK | 0o600),
  chmod: (path, argument) => fs.chmodSync(path, Number.parseInt(argument, 8)),
  chown: (path, argument) => fs.lchownSync(path, Number(argument), -1),
  chgrp: (path, argument) => fs.lchownSync(path, -1, Number(argument)),
  utimes: (path) => fs.utimesSync(path, 1, 1),
  getxattr: (path, argument) => xattr('getxattr', path, argument, new Uint8Array(256), 256),
  setxattr: (path, argument) => xattr('setxattr', path, argument, new Uint8Array([120]), 1, 0),
  rmxattr: (path, argument) => xattr('removexattr', path, argument),
  connect: (path) =>
    new Promise((resolve, reject) => {
      const socket = connect(path, () => resolve(socket.destroy()));
      socket.on('error', reject);
    }),
};

function put(path: string, flags: string | number, content: string, truncates: boolean): void {
  const fd = fs.openSync(path, truncates ? fs.constants.O_WRONLY | fs.constants.O_TRUNC : flags, 0o644);
  try {
    fs.writeSync(fd, content.replaceAll('\\n', '\n'));
  } finally {
    fs.closeSync(fd);
  }
}

const prototypes = {
  getxattr: 'long getxattr(str path, str name, void *value, size_t size)',
  setxattr: 'int setxattr(str path, str name, void *value, size_t size, int flags)',
  removexattr: 'int removexattr(str path, str name)',
};

function xattr(call: keyof typeof prototypes, ...args: unknown[]): void {
  const result = koffi().load(null).func(prototypes[call])(...args) as number;
  if (result >= 0) return;
  const errno = koffi().errno();
  const code = Object.entries(koffi().os.errno).find(([, number]) => number === errno)?.[0];
  throw Object.assign(new Error(call), { code });
}

const results: string[] = [];
for (const { op, path, argument } of JSON.parse(await text(process.stdin)) as Act[]) {
  try {
    await operations[op]!(path, argument);
    results.push('ok');
  } catch (error) {
    results.push((error as NodeJS.ErrnoException).code ?? String(error));
  }
}
process.stdout.write(JSON.stringify(results));
