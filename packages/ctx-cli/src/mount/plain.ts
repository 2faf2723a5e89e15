import type { Deployment } from '@cortexfs/abi/deployment';
import { CortexError } from '@cortexfs/abi/errors';
import { runtimeTree } from '@cortexfs/abi/paths';
import { formatMountReceipt, MOUNT_SCHEMA } from '@cortexfs/abi/receipt/mount';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { startTimeOf } from '@cortexfs/linux/process';
import { runnerOf } from './launchers.ts';

/**
 * The store itself is the root: said loudly, for nothing of what makes the mount safe is there. EINVAL for the system
 * deployment, whose users only the mount keeps apart.
 */
export async function usePlainly(source: string, { kind, runtime }: Deployment): Promise<void> {
  if (kind === 'system')
    throw new CortexError('EINVAL', 'without a mount nothing would keep the users of a machine apart', {
      layer: 'mount',
      hint: 'leave out --plain or --system',
    });
  process.stderr.write(
    'ctx mount: warning: --plain: object projection, control checks and per-agent views are not enforced\n',
  );
  const receipt = {
    schema: MOUNT_SCHEMA,
    pid: process.pid,
    start_time: startTimeOf(process.pid) ?? 0,
    source,
    root: source,
    transport: 'plain',
    runner: runnerOf(source),
    uid: process.getuid!(),
    created_at: formatTimestamp(Date.now()),
  } as const;
  await writeDurable(runtimeTree(runtime).mountReceipt, formatMountReceipt(receipt), { mode: 0o600 });
}
