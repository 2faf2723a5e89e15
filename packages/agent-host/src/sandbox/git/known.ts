import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type GitEntry, type GitScan, SCAN_LIMITS, scanForGit } from './scan.ts';

/** By workspace, for as long as this process lives. */
const known = new Map<string, ReadonlyMap<string, GitEntry>>();

/**
 * A search that knows what earlier ones found: a repository stays protected while it exists, also when the search ends
 * before it gets there. An agent can make as many directories as it takes to end it early.
 */
export function scanAndRemember(root: string, limits = SCAN_LIMITS): GitScan {
  const { entries, cutShort } = scanForGit(root, limits);
  const found = new Map(entries.map((entry) => [entry.path, entry]));
  if (cutShort) {
    for (const entry of known.get(root)?.values() ?? []) {
      const now = found.get(entry.path) ?? asItIsNow(root, entry);
      if (now !== undefined) found.set(now.path, now);
    }
  }
  known.set(root, found);
  return { entries: [...found.values()], cutShort };
}

function asItIsNow(root: string, { path, kind }: GitEntry): GitEntry | undefined {
  const stat = statOf(join(root, path));
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return kind === 'bare' ? undefined : { path, kind: 'link' };
  if (stat.isDirectory()) return { path, kind: kind === 'bare' ? 'bare' : 'directory' };
  return kind === 'bare' ? undefined : { path, kind: 'file' };
}

function statOf(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
