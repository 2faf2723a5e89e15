import { realpathSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { SANDBOX } from '@cortexfs/abi/paths';
import { within } from '../closure/closure.ts';
import { namedDirectory, partsOf } from './directory.ts';
import { scanAndRemember } from './known.ts';
import { gitPointer } from './pointer.ts';
import type { GitScan } from './scan.ts';

/** What of a workspace must not be written although the workspace may be. */
export interface GitProtection {
  /** Relative to the workspace; the empty path is the workspace itself. */
  readOnly: readonly string[];
  /** Repositories outside it that a `.git` file leads to: host path and where git looks for it in the sandbox. */
  outside: readonly { source: string; target: string }[];
  notes: readonly string[];
}

/**
 * The git metadata of a workspace: hooks and configuration are programs that the owner's next git command runs.
 * `.git` directories, `.git` files and where they lead, at every depth that the bounded search reaches.
 */
export function gitProtection(workspace: string, scan: GitScan = scanAndRemember(workspace)): GitProtection {
  const readOnly = new Set<string>();
  const outside = new Map<string, string>();
  const notes: string[] = [];
  const protect = (directory: string, tree: string) => {
    for (const part of partsOf(directory, join(workspace, tree))) {
      if (part === workspace || !within(workspace, part)) continue;
      const path = part.slice(workspace.length + 1);
      const known = [...readOnly].some((place) => place === '' || within(place, path));
      if (!known && !within(directory, part))
        notes.push(`${join(SANDBOX.workspace, path)} is read-only: git uses it`);
      readOnly.add(path);
    }
  };
  for (const { path, kind } of scan.entries) {
    const tree = parentOf(path);
    if (kind === 'link') {
      // Nothing can be mounted over a link, so that it could be replaced: the directory that holds it is shut.
      readOnly.add(tree);
      notes.push(`${join(SANDBOX.workspace, tree)} is read-only: its .git is a symbolic link`);
    } else readOnly.add(path);
    if (kind === 'bare') notes.push(`${join(SANDBOX.workspace, path)} is read-only: it is a git repository`);
    if (kind !== 'file') {
      protect(join(workspace, path), kind === 'bare' ? path : tree);
      continue;
    }
    // Inside the workspace it is visible anyway: it needs no proof to be protected.
    const named = namedDirectory(join(workspace, path));
    if (named !== undefined) protect(named.directory, tree);
    if (named !== undefined && within(workspace, named.directory)) continue;
    const pointer = gitPointer(join(workspace, path));
    if (pointer === undefined) {
      notes.push(
        `${join(SANDBOX.workspace, path)} leads to no git directory that points back at it: not shown`,
      );
    } else {
      const target = posix.resolve(SANDBOX.workspace, tree, pointer.written);
      outside.set(placeOf(pointer.repository, pointer.directory, target), pointer.repository);
    }
  }
  if (scan.cutShort) notes.push('the search for nested repositories was cut short: deeper ones are writable');
  return {
    readOnly: [...readOnly],
    outside: [...outside].map(([target, source]) => ({ source, target })),
    notes,
  };
}

function parentOf(path: string): string {
  const parent = dirname(path);
  return parent === '.' ? '' : parent;
}

/** The repository lies as far above the git directory in the sandbox as it does on the host. */
function placeOf(repository: string, directory: string, target: string): string {
  const below = directory.slice(realpathSync(repository).length);
  return below !== '' && target.endsWith(below) ? target.slice(0, -below.length) : target;
}
