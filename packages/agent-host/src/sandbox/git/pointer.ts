import { dirname, isAbsolute, join, resolve } from 'node:path';
import { namedDirectory, realPath, smallText } from './directory.ts';

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
  const named = namedDirectory(file);
  if (named === undefined) return undefined;
  const { directory, written } = named;
  if (smallText(join(directory, 'HEAD')) === undefined) return undefined;
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
