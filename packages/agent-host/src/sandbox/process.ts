import { setTimeout as delay } from 'node:timers/promises';
import { signalVerified } from '@cortexfs/linux/pidfd';
import { isAlive } from '@cortexfs/linux/process';
import type { StartedBubblewrap } from './bubblewrap.ts';
import type { LaunchRoot, SandboxExit, SandboxedProcess } from './spec.ts';

/** How long a program may take to leave after SIGTERM. */
export const GRACE_MS = 250;

/** The released program, seen from the launcher. */
export function sandboxedProcess(
  { child, exited }: StartedBubblewrap,
  root: LaunchRoot,
  notes: readonly string[],
  built: string,
): SandboxedProcess {
  let ending: Promise<SandboxExit> | undefined;
  return {
    ...root,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    notes,
    built,
    terminate: () => {
      ending ??= terminate(root, exited);
      return ending;
    },
  };
}

/** The first process ignores SIGTERM, as the first one of a pid namespace does; its end is the end of all in it. */
async function terminate(root: LaunchRoot, exited: Promise<SandboxExit>): Promise<SandboxExit> {
  if (isAlive(root.pid, root.startTime)) signalGroup(root.pid);
  const graceful = await Promise.race([exited.then(() => true), delay(GRACE_MS, false, { ref: false })]);
  if (!graceful) signalVerified(root.pid, root.startTime, 'SIGKILL');
  return exited;
}

/** It leads a group of its own (`--new-session`), in which the program starts. */
function signalGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
