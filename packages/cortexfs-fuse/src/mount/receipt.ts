import { readFile, unlink } from 'node:fs/promises';
import { CortexError } from '@cortexfs/abi/errors';
import { runtimeTree } from '@cortexfs/abi/paths';
import {
  formatMountReceipt,
  MOUNT_SCHEMA,
  type MountReceipt,
  parseMountReceipt,
} from '@cortexfs/abi/receipt/mount';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { isAlive, startTimeOf } from '@cortexfs/linux/process';
import type { MountOptions } from '../arguments.ts';

/** Refuses a second mount for one runtime directory; the receipt of a dead one does not count. */
export async function requireNoOther(runtime: string): Promise<void> {
  const receipt = await readReceipt(runtime);
  if (receipt === undefined || receipt.transport === 'plain' || !isAlive(receipt.pid, receipt.start_time))
    return;
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

/** Written when the mount answers. */
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
  await writeDurable(runtimeTree(runtime).mountReceipt, formatMountReceipt(receipt), { mode: 0o600 });
}

/** Only our own: somebody may have mounted again meanwhile. */
export async function removeReceipt(runtime: string): Promise<void> {
  const receipt = await readReceipt(runtime);
  if (receipt?.pid === process.pid) await unlink(runtimeTree(runtime).mountReceipt);
}

async function readReceipt(runtime: string): Promise<MountReceipt | undefined> {
  try {
    return parseMountReceipt(await readFile(runtimeTree(runtime).mountReceipt, 'utf8'));
  } catch {
    // Absent or unreadable: there is nothing to respect, and a new one replaces it.
    return undefined;
  }
}
