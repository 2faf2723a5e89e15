import { readFile, unlink } from 'node:fs/promises';
import { SYSTEM } from '@cortexfs/abi/deployment';
import { CortexError } from '@cortexfs/abi/errors';
import { runtimeTree } from '@cortexfs/abi/paths';
import { formatMountReceipt, MOUNT_SCHEMA, type MountReceipt } from '@cortexfs/abi/receipt/mount';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { mountReceipt, servesStill } from '@cortexfs/linux/mount-receipt';
import { startTimeOf } from '@cortexfs/linux/process';
import type { MountOptions } from '../arguments.ts';

/** Refuses a second mount for one runtime directory; the receipt of a dead one does not count. */
export function requireNoOther(runtime: string): void {
  const receipt = mountReceipt(runtime);
  if (receipt === undefined || receipt.transport === 'plain' || !servesStill(receipt)) return;
  throw new CortexError(
    'EBUSY',
    `${receipt.source} is mounted at ${receipt.root} already (pid ${receipt.pid})`,
    {
      path: runtime,
      layer: 'mount',
      hint: 'ctx umount, then mount again',
    },
  );
}

/** Written when the mount answers. Everybody reads the machine's: it tells them whose mount /ctx is. */
export async function writeReceipt({
  source,
  root,
  runtime,
  runner,
  transport,
}: MountOptions): Promise<void> {
  const receipt: MountReceipt = {
    schema: MOUNT_SCHEMA,
    pid: process.pid,
    start_time: startTimeOf(process.pid) ?? 0,
    boot_id: (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim(),
    source,
    root,
    transport,
    runner,
    uid: process.geteuid!(),
    created_at: formatTimestamp(Date.now()),
  };
  const mode = runtime === SYSTEM.runtime ? 0o644 : 0o600;
  await writeDurable(runtimeTree(runtime).mountReceipt, formatMountReceipt(receipt), { mode });
}

/** Only our own: somebody may have mounted again meanwhile. */
export async function removeReceipt(runtime: string): Promise<void> {
  const receipt = mountReceipt(runtime);
  if (receipt?.pid === process.pid) await unlink(runtimeTree(runtime).mountReceipt);
}
