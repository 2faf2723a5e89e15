import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CortexError } from '@cortexfs/abi/errors';
import { readMountTable } from '@cortexfs/linux/mount-table';
import { startTimeOf } from '@cortexfs/linux/process';
import type { StartedBubblewrap } from './bubblewrap.ts';
import { locate, sameIdentity } from './identity.ts';
import { setupRefusal } from './refusal.ts';
import type { LaunchRoot } from './spec.ts';
import type { BindStep, Step } from './step.ts';

/** Mounting may wait for a slow network file system, but not for ever. */
const SETUP_MS = 20_000;
const LOOK_MS = 2;

/**
 * Waits until bubblewrap has built everything and waits itself on `--block-fd`: it gives up its last capability just
 * before that. Answers the first process of the sandbox.
 */
export async function untilHeld(started: StartedBubblewrap): Promise<LaunchRoot> {
  let ended = false;
  void started.exited.then(() => {
    ended = true;
  });
  const timer = setTimeout(started.kill, SETUP_MS);
  try {
    const pid = childPid(await started.info.catch(() => ''));
    const startTime = pid === undefined ? undefined : startTimeOf(pid);
    while (pid !== undefined && startTime !== undefined && !ended) {
      if (hasNoCapability(pid) && startTimeOf(pid) === startTime) return { pid, startTime };
      await delay(LOOK_MS);
    }
    const exit = await started.exited;
    throw setupRefusal(started.setupOutput(), exit);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The mounts as the program will see them are the ones that were judged: same inode, same mode. Paths were resolved
 * once more by bubblewrap, and somebody who can rename directories may have acted in between.
 */
export function requireSameMounts(pid: number, steps: readonly Step[]): void {
  // Of several at one place the topmost counts.
  const mounts = new Map(
    readMountTable(pid).map(({ point, readOnly }) => [point, readOnly ? 'ro' : 'rw'] as const),
  );
  for (const step of steps) {
    if (step.kind !== 'bind' || step.identity === undefined) continue;
    const mode = mounts.get(step.target);
    const { identity } = locate(`/proc/${pid}/root${step.target}`);
    if (mode === step.mode && sameIdentity(identity, step.identity)) continue;
    throw changed(step, mode);
  }
}

function changed({ source, target, mode }: BindStep, found: 'ro' | 'rw' | undefined): CortexError {
  const what =
    found !== undefined && found !== mode ? `is mounted ${found}, not ${mode}` : 'is not what it was';
  return new CortexError('EAGAIN', `${source} was changed while the sandbox was built: ${target} ${what}`, {
    path: source,
    layer: 'sandbox',
    hint: 'start again when nothing renames directories there',
  });
}

function childPid(info: string): number | undefined {
  const pid = /"child-pid":\s*(\d+)/.exec(info)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

function hasNoCapability(pid: number): boolean {
  try {
    return /^CapPrm:\s*0+$/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}
