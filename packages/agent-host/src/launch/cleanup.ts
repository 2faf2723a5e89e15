import type { ObjectName } from '@cortexfs/abi/names';
import { runtimeTree } from '@cortexfs/abi/paths';
import { CLEANUP_SCHEMA, type CleanedInstance, formatCleanupReceipt } from '@cortexfs/abi/receipt/cleanup';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import { writeDurable } from '@cortexfs/linux/durable-write';

export interface Cleaned {
  receipt: LaunchReceipt;
  outcome: CleanedInstance['outcome'];
  detail?: string;
}

/** Leaves the record of the last end, which the mount shows in `agent/NAME.d/meta.json`. */
export async function recordCleanup(
  runtime: string,
  name: ObjectName,
  reason: string,
  cleaned: readonly Cleaned[],
): Promise<void> {
  const text = formatCleanupReceipt({
    schema: CLEANUP_SCHEMA,
    agent: name,
    reason,
    instances: cleaned.map(({ receipt: { role, session, pid, start_time }, outcome, detail }) => ({
      role,
      session,
      pid,
      start_time,
      outcome,
      ...(detail === undefined ? {} : { detail }),
    })),
    stopped_at: formatTimestamp(Date.now()),
  });
  await writeDurable(runtimeTree(runtime).cleanupReceipt(name), text, { mode: 0o600 });
}
