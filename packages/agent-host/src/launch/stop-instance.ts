import { setTimeout as delay } from 'node:timers/promises';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { signalVerified } from '@cortexfs/linux/pidfd';
import { startTimeOf, statOf } from '@cortexfs/linux/process';
import { endUnit } from '../supervisor/owned-unit.ts';
import type { Cleaned } from './cleanup.ts';
import { isRunning } from './receipt-file.ts';

/** A role needs up to 250 ms for its own sandboxes, and time to write its last records. */
const GRACE_MS = 3000;
const LOOK_MS = 10;

/**
 * Ends exactly the process that a receipt is about: SIGTERM, then SIGKILL for it and its group. Of a systemd unit nothing
 * is left behind either way.
 */
export async function stopInstance(receipt: LaunchReceipt, graceMs = GRACE_MS): Promise<Cleaned> {
  const { pid, start_time } = receipt;
  if (!isRunning(receipt)) return { receipt, ...absence(receipt) };
  signalVerified(pid, start_time, 'SIGTERM');
  if (await ended(receipt, graceMs)) {
    await endUnit(receipt);
    return { receipt, outcome: 'terminated' };
  }
  killGroup(receipt);
  signalVerified(pid, start_time, 'SIGKILL');
  await endUnit(receipt);
  if (await ended(receipt, graceMs)) return { receipt, outcome: 'killed' };
  return { receipt, outcome: 'refused', detail: 'it does not end on SIGKILL: the kernel holds it' };
}

function absence({ pid }: LaunchReceipt): Pick<Cleaned, 'outcome' | 'detail'> {
  if (startTimeOf(pid) === undefined) return { outcome: 'gone' };
  return { outcome: 'refused', detail: `pid ${pid} is another process now: left alone` };
}

async function ended(receipt: LaunchReceipt, withinMs: number): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; isRunning(receipt); await delay(LOOK_MS)) {
    if (performance.now() > deadline) return false;
  }
  return true;
}

/** Its children outside sandboxes, while the verified process leads the group: its pid is nobody else's group. */
function killGroup({ pid }: LaunchReceipt): void {
  if (statOf(pid)?.group !== pid) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
