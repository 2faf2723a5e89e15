import { readFileSync } from 'node:fs';
import { runtimeTree } from '@cortexfs/abi/paths';
import { type MountReceipt, parseMountReceipt } from '@cortexfs/abi/receipt/mount';
import { isAlive } from '@cortexfs/linux/process';

/** The receipt of the mount of a runtime directory; undefined when there is none or it cannot be read. */
export function mountReceipt(runtime: string): MountReceipt | undefined {
  try {
    return parseMountReceipt(readFileSync(runtimeTree(runtime).mountReceipt, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether the process of a receipt still runs: the pid alone proves nothing. A plain root needs no process. */
export function servesStill(receipt: MountReceipt): boolean {
  return receipt.transport === 'plain' || isAlive(receipt.pid, receipt.start_time);
}
