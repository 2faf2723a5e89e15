import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CortexError } from '@cortexfs/abi/errors';
import { runtimeTree } from '@cortexfs/abi/paths';
import type { MountReceipt } from '@cortexfs/abi/receipt/mount';
import { findHostProgram } from '@cortexfs/linux/host-program';
import { cortexMountAt } from '@cortexfs/linux/mount-table';
import { signalVerified } from '@cortexfs/linux/pidfd';
import { flag, type Invocation } from '../command/command.ts';
import { deployment } from '../place/deployment.ts';
import { launches } from '../place/launches.ts';
import { mountReceipt, servesStill } from '../place/receipt.ts';
import { chosenRoot } from '../place/root.ts';

/** How long a daemon may take to unmount, in milliseconds. */
const patience = 20_000;

/**
 * `ctx umount`: asks the daemon of the receipt to end; what a dead daemon left mounted is taken away. EBUSY while agents
 * run: their sandboxes hold views of the mount, so it would leave the tree and live on out of sight.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { runtime } = deployment();
  const receipt = mountReceipt(runtime);
  const [typed] = invocation.operands;
  const root = typed ? resolve(typed) : (receipt?.root ?? chosenRoot(invocation.root));
  const ours = receipt?.root === root ? receipt : undefined;
  if (ours && servesStill(ours)) requireNoAgents(runtime, root);
  if (ours) await endDaemon(ours);
  const left = cortexMountAt(root) !== undefined;
  if (left) detach(root);
  if (ours) rmSync(runtimeTree(runtime).mountReceipt, { force: true });
  if (!flag(invocation, 'quiet')) {
    process.stdout.write(ours || left ? `unmounted ${root}\n` : `nothing was mounted at ${root}\n`);
  }
  return 0;
}

function requireNoAgents(runtime: string, root: string): void {
  const agents = new Set(launches(runtime).flatMap(({ agent, running }) => (running ? [agent] : [])));
  if (agents.size === 0) return;
  throw new CortexError('EBUSY', `in use by running agents: ${[...agents].join(', ')}`, {
    path: root,
    layer: 'mount',
    hint: 'ctx agent stop --all',
  });
}

async function endDaemon(receipt: MountReceipt): Promise<void> {
  if (receipt.transport === 'plain' || !servesStill(receipt)) return;
  signalVerified(receipt.pid, receipt.start_time, 'SIGTERM');
  for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(20)) {
    if (!servesStill(receipt)) return;
  }
  throw new CortexError('EBUSY', `the daemon (pid ${receipt.pid}) did not end`, {
    path: receipt.root,
    layer: 'mount',
    hint: `see who uses it: fuser -vm ${receipt.root}`,
  });
}

/** A mount without its daemon answers nobody: it is taken out of the tree at once. */
function detach(root: string): void {
  const asRoot = process.getuid!() === 0;
  const program = findHostProgram(asRoot ? 'umount' : 'fusermount3');
  const args = asRoot ? ['-l', root] : ['-u', '-z', root];
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: {} });
}
