import type { MountEntry } from '../controls/mount.ts';
import type { MountFacts } from './facts.ts';

/** What is under no mount is not there for the agent. */
export const HIDDEN: MountFacts = { visible: false, writable: false, noexec: true };

/** How a mount table shows an absolute path of the agent's view: the entry with the longest target decides. */
export function mountFactsAt(table: readonly MountEntry[], path: string): MountFacts {
  let nearest: MountEntry | undefined;
  for (const entry of table) {
    // Of two entries with one target the later is mounted over the earlier.
    if (isAtOrBelow(path, entry.target) && entry.target.length >= (nearest?.target.length ?? 0))
      nearest = entry;
  }
  if (nearest === undefined) return HIDDEN;
  return { visible: true, writable: nearest.mode === 'rw', noexec: nearest.options.includes('noexec') };
}

function isAtOrBelow(path: string, directory: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}
