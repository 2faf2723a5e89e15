import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A `.git` in a working tree, or a git directory of another name (`bare`), its path relative to the tree's root. */
export interface GitEntry {
  path: string;
  kind: 'directory' | 'file' | 'link' | 'bare';
}

export interface GitScan {
  entries: readonly GitEntry[];
  /** The limit was reached: deeper repositories were not looked for. */
  cutShort: boolean;
}

export interface ScanLimits {
  directories: number;
  milliseconds: number;
}

/** Bounded, so that a start never hangs on a large tree or a slow network file system. */
export const SCAN_LIMITS: ScanLimits = { directories: 5000, milliseconds: 1000 };

/**
 * Every `.git` and every bare repository in a tree, nearest to the root first; no link is followed and no git directory
 * is descended into. Installed dependencies (`node_modules`) come last, for they are many and rarely repositories.
 */
export function scanForGit(root: string, limits: ScanLimits = SCAN_LIMITS): GitScan {
  const entries: GitEntry[] = [];
  const near = [''];
  const late: string[] = [];
  const deadline = performance.now() + limits.milliseconds;
  for (let visited = 0; ; visited++) {
    const directory = near.shift() ?? late.shift();
    if (directory === undefined) return { entries, cutShort: false };
    if (visited >= limits.directories || performance.now() > deadline) return { entries, cutShort: true };
    const entriesHere = listing(join(root, directory));
    if (isGitDirectory(entriesHere)) {
      entries.push({ path: directory, kind: 'bare' });
      continue;
    }
    for (const entry of entriesHere) {
      const path = join(directory, entry.name);
      if (entry.name === '.git') entries.push({ path, kind: kindOf(entry) });
      else if (entry.isDirectory()) (entry.name === 'node_modules' ? late : near).push(path);
    }
  }
}

/** What cannot be read by us cannot be changed by the agent either: it has the same uid and fewer rights. */
function listing(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** As git itself sees it: `HEAD`, `objects` and `refs`. */
function isGitDirectory(entries: readonly Dirent[]): boolean {
  const has = (name: string) => entries.some((entry) => entry.name === name);
  return has('HEAD') && has('objects') && has('refs');
}

function kindOf(entry: Dirent): GitEntry['kind'] {
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'file';
}
