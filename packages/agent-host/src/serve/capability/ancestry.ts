import { type ProcessStat, statOf } from '@cortexfs/linux/process';
import type { LaunchRoot } from '../../sandbox/spec.ts';

/** Longest way from a process up to its launch root. */
export const MAX_ANCESTORS = 64;

/**
 * Whether a process is a registered launch root or a live descendant of one (docs/run.md, "Capability socket"). Every
 * process on the way must be alive, no younger than its child, and the same at a second look; a missing process, a
 * reused pid, a loop or a longer way is a no.
 */
export function descendsFrom(
  pid: number,
  roots: readonly LaunchRoot[],
  stat: (pid: number) => ProcessStat | undefined = statOf,
): boolean {
  const way = wayUp(pid, roots, stat);
  return way?.every(({ pid, seen }) => isSame(stat(pid), seen)) ?? false;
}

interface Station {
  readonly pid: number;
  readonly seen: ProcessStat;
}

function wayUp(
  pid: number,
  roots: readonly LaunchRoot[],
  stat: (pid: number) => ProcessStat | undefined,
): Station[] | undefined {
  const way: Station[] = [];
  let current = pid;
  while (way.length <= MAX_ANCESTORS && current > 1) {
    const seen = stat(current);
    if (seen === undefined || isDead(seen)) return undefined;
    const child = way.at(-1)?.seen;
    // A parent that began after its child is another process that got the pid.
    if (seen.startTime > (child?.startTime ?? seen.startTime)) return undefined;
    way.push({ pid: current, seen });
    if (roots.some((root) => root.pid === current && root.startTime === seen.startTime)) return way;
    current = seen.parent;
  }
  return undefined;
}

function isSame(now: ProcessStat | undefined, before: ProcessStat): boolean {
  return (
    now !== undefined && !isDead(now) && now.startTime === before.startTime && now.parent === before.parent
  );
}

function isDead({ state }: ProcessStat): boolean {
  return state === 'Z' || state === 'X';
}
