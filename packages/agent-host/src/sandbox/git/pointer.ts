import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Where a `.git` file leads. Both without links. */
export interface GitPointer {
  /** The git directory that the file names. */
  directory: string;
  /** What has to be shown for git to work there: the whole repository for a linked worktree. */
  repository: string;
  /** The path as the file gives it: git in the sandbox goes the same way. */
  written: string;
}

/**
 * Reads a `.git` file. undefined unless the place that it names points back at it: anyone who can write in a
 * workspace can write `gitdir: /home/me/.ssh` there, and it must not become visible for that.
 */
export function gitPointer(file: string): GitPointer | undefined {
  const written = /^gitdir: ([^\0\n]+)\n?$/.exec(smallText(file) ?? '')?.[1];
  if (written === undefined) return undefined;
  const directory = realPath(resolve(dirname(file), written));
  if (directory === undefined || smallText(join(directory, 'HEAD')) === undefined) return undefined;
  const repository = worktreeRepository(directory, file) ?? submoduleRepository(directory, file);
  return repository === undefined ? undefined : { directory, repository, written };
}

/** `REPOSITORY/worktrees/NAME`, whose file `gitdir` names the `.git` file. */
function worktreeRepository(directory: string, file: string): string | undefined {
  const back = smallText(join(directory, 'gitdir'))?.trim();
  if (back === undefined || realPath(resolve(directory, back)) !== realPath(file)) return undefined;
  const repository = dirname(dirname(directory));
  return dirname(directory) === join(repository, 'worktrees') ? repository : undefined;
}

/** `SUPERPROJECT/.git/modules/NAME`, whose configuration names the working tree. */
function submoduleRepository(directory: string, file: string): string | undefined {
  const tree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(smallText(join(directory, 'config')) ?? '')?.[1];
  if (tree === undefined) return undefined;
  const path = isAbsolute(tree) ? tree : join(directory, tree);
  return realPath(path) === realPath(dirname(file)) ? directory : undefined;
}

const MAX_BYTES = 64 * 1024;

/** The text of a small regular file that is no link; undefined for everything else. */
function smallText(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) return undefined;
    const buffer = Buffer.alloc(MAX_BYTES);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, MAX_BYTES, 0));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
