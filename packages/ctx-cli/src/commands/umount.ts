import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runtimesOf, SYSTEM } from '@cortexfs/abi/deployment';
import { CortexError } from '@cortexfs/abi/errors';
import { runtimeTree } from '@cortexfs/abi/paths';
import type { MountReceipt } from '@cortexfs/abi/receipt/mount';
import { findHostProgram } from '@cortexfs/linux/host-program';
import { mountReceipt, servesStill, systemMountReceipt } from '@cortexfs/linux/mount-receipt';
import { cortexMountAt } from '@cortexfs/linux/mount-table';
import { signalVerified } from '@cortexfs/linux/pidfd';
import { deploymentOf, findPlace, type Place } from '@cortexfs/linux/place';
import { flag, type Invocation } from '../command/command.ts';
import { requireRoot } from '../place/deployment.ts';
import { launches, runningAgents } from '../place/launches.ts';

/** How long a daemon may take to unmount, in milliseconds. */
const patience = 20_000;

/**
 * `ctx umount`: asks the daemon of the receipt to end; what a dead daemon left mounted is taken away. EBUSY while agents
 * run: their sandboxes hold views of the mount, so it would leave the tree and live on out of sight.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { kind, root, mountRuntime } = placeOf(invocation);
  if (kind === 'system') requireRoot();
  const receipt = mountReceipt(mountRuntime);
  const ours = receipt?.root === root ? receipt : undefined;
  if (ours && servesStill(ours))
    requireNoAgents(ours, kind === 'system' ? runtimesBelow(ours.source) : [mountRuntime]);
  if (ours) await endDaemon(ours);
  const left = cortexMountAt(root) !== undefined;
  if (left) detach(root);
  if (ours) rmSync(runtimeTree(mountRuntime).mountReceipt, { force: true });
  if (!flag(invocation, 'quiet')) {
    process.stdout.write(ours || left ? `unmounted ${root}\n` : `nothing was mounted at ${root}\n`);
  }
  return 0;
}

/** What was named, else one's own mount, else the one in use. */
function placeOf(invocation: Invocation): Place {
  const named = invocation.operands[0] ?? invocation.root;
  if (!flag(invocation, 'system'))
    return findPlace(named ?? mountReceipt(deploymentOf('user').runtime)?.root);
  const { defaultMount } = deploymentOf('system');
  const place = findPlace(named ?? systemMountReceipt()?.root ?? defaultMount);
  return { ...place, ...deploymentOf('system'), mountRuntime: SYSTEM.runtime };
}

/** Of everybody who has a home in a system store. */
function runtimesBelow(store: string): string[] {
  const uids = readdirSync(`${store}/home`).map(Number).filter(Number.isSafeInteger);
  return [SYSTEM.runtime, ...uids.flatMap(runtimesOf)];
}

function requireNoAgents({ source, root }: MountReceipt, runtimes: readonly string[]): void {
  const agents = runningAgents(source, runtimes.flatMap(launches));
  if (agents.length === 0) return;
  throw new CortexError('EBUSY', `in use by running agents: ${agents.join(', ')}`, {
    path: root,
    layer: 'mount',
    hint: 'ctx agent stop --all',
  });
}

async function endDaemon(receipt: MountReceipt): Promise<void> {
  if (receipt.transport === 'plain' || !servesStill(receipt)) return;
  signalVerified(receipt.pid, receipt.start_time, 'SIGTERM');
  for (const deadline = performance.now() + patience; performance.now() < deadline; await sleep(20)) {
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
