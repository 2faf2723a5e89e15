import { readdirSync, readFileSync } from 'node:fs';
import { signalVerified } from '@cortexfs/linux/pidfd';
import { parentOf, startTimeOf } from '@cortexfs/linux/process';
import { HELD_COMMAND } from './bubblewrap.ts';

/**
 * Ends what a launcher left that was killed while it held a sandbox: bubblewrap's inner process then waits for a release that
 * nobody can give any more, without a parent whose death would end it. It is told by its command line, by being the first
 * process of its pid namespace, by its user, and by having no bubblewrap for a parent. Returns the pids.
 */
export function endOrphans(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .filter((pid) => isHeld(pid) && isOurs(pid) && !isHeld(parentOf(pid) ?? 0))
    .filter(endVerified);
}

function isHeld(pid: number): boolean {
  return readProcess(pid, 'cmdline').includes(HELD_COMMAND);
}

/** The monitor outside has one number only; the inner process is number 1 in the namespace that it began. */
function isOurs(pid: number): boolean {
  const status = readProcess(pid, 'status');
  const uid = /^Uid:\t(\d+)/m.exec(status)?.[1];
  return Number(uid) === process.geteuid!() && /^NSpid:.*\t1$/m.test(status);
}

function endVerified(pid: number): boolean {
  const startTime = startTimeOf(pid);
  return startTime !== undefined && signalVerified(pid, startTime, 'SIGKILL');
}

/** Empty for a process that is gone. */
function readProcess(pid: number, file: 'cmdline' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
