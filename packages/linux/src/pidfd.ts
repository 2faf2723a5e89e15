import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { codeOf, systemCall } from './native.ts';
import { isAlive } from './process.ts';

// These calls got the same number on every architecture.
const SYS_pidfd_send_signal = 424;
const SYS_pidfd_open = 434;
const syscall = systemCall('pidfd', 'long syscall(long number, ...)');

/** A descriptor of exactly the process that has this pid now; the caller closes it. ESRCH when there is none. */
export function openPidfd(pid: number): number {
  return syscall(SYS_pidfd_open, 'int', pid, 'int', 0);
}

/** ESRCH when the process is gone. Signal 0 only asks. */
export function signalPidfd(pidfd: number, signal: NodeJS.Signals | 0): void {
  const number = signal === 0 ? 0 : constants.signals[signal];
  syscall(SYS_pidfd_send_signal, 'int', pidfd, 'int', number, 'void *', null, 'int', 0);
}

/**
 * Signals the process that had `pid` at `startTime`, and no other. False when it is gone: a process that merely got
 * its pid is never touched.
 */
export function signalVerified(pid: number, startTime: number, signal: NodeJS.Signals | 0): boolean {
  const pidfd = tryOpen(pid);
  if (pidfd === undefined) return false;
  try {
    // Checked after the descriptor is held: what it names can no longer change.
    if (!isAlive(pid, startTime)) return false;
    signalPidfd(pidfd, signal);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  } finally {
    closeSync(pidfd);
  }
}

function tryOpen(pid: number): number | undefined {
  try {
    return openPidfd(pid);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return undefined;
    throw error;
  }
}
