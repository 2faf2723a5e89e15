import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Deployment } from '@cortexfs/abi/deployment';
import { CortexError } from '@cortexfs/abi/errors';
import type { MountReceipt } from '@cortexfs/abi/receipt/mount';
import { requireAnswer } from '@cortexfs/linux/answer';
import { mountReceipt, servesStill } from '@cortexfs/linux/mount-receipt';
import { cortexMountAt } from '@cortexfs/linux/mount-table';
import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import { flag, type Invocation, text } from '../command/command.ts';
import { startDaemon } from '../mount/daemon.ts';
import { launchedPrograms, runnerOf, writeLaunchers } from '../mount/launchers.ts';
import { usePlainly } from '../mount/plain.ts';
import { closedToOthers } from '../mount/reach.ts';
import { chosenDeployment } from '../place/deployment.ts';
import { whyNoAnswer } from '../place/root.ts';

/** `ctx mount`: serves the store at a root. Done already: says so. See docs/mount.md. */
export async function run(invocation: Invocation): Promise<number> {
  const place = chosenDeployment(invocation);
  const source = resolve(text(invocation, 'source') ?? place.store);
  const plain = flag(invocation, 'plain');
  const root = plain ? source : resolve(invocation.operands[0] ?? invocation.root ?? place.defaultMount);
  if (!existsSync(`${source}/agent`)) {
    const hint = place.kind === 'system' ? 'ctx bootstrap --system' : 'ctx bootstrap';
    throw new CortexError('ENOENT', `${source} is not a store`, { layer: 'store', hint });
  }
  ensureRuntimeDir(place.runtime);
  ensureRuntimeDir(`${place.runtime}/log`);
  const now = mountReceipt(place.runtime);
  if (!plain) await requireAnswer(root);
  if (now && servesStill(now) && whyNoAnswer(now.root) === undefined)
    return alreadyMounted(invocation, now, source, root);

  const found =
    now && !servesStill(now)
      ? [`the daemon of the last mount (pid ${now.pid}) had ended without unmounting`]
      : [];
  writeLaunchers(source);
  if (plain) await usePlainly(source, place);
  else await serve(invocation, source, root, place);
  const transport = mountReceipt(place.runtime)?.transport;
  announce(invocation, { root, source, transport, already: false, found });
  return 0;
}

async function serve(
  invocation: Invocation,
  source: string,
  root: string,
  { kind, runtime }: Deployment,
): Promise<void> {
  makeMountPoint(root, kind, runtime);
  const transport = text(invocation, 'transport');
  const args = ['--source', source, '--mount', root, '--runtime', runtime, '--runner', runnerOf(source)];
  if (transport) args.push('--transport', transport);
  if (kind === 'system') {
    args.push('--allow-other');
    warnOfClosedPrograms();
  }
  await startDaemon(root, args, runtime);
}

/** Only a directory of our own is made. Behind a dead mount nothing can be made: the daemon clears it first. */
function makeMountPoint(root: string, kind: Deployment['kind'], runtime: string): void {
  if (cortexMountAt(root) !== undefined) return;
  if (kind === 'system' && root === '/ctx') mkdirSync(root, { recursive: true, mode: 0o755 });
  else if (root.startsWith(`${runtime}/`)) mkdirSync(root, { recursive: true, mode: 0o700 });
}

/** Launchers name node and the bins by absolute path: below a private home nobody else could start them. */
function warnOfClosedPrograms(): void {
  const closed = launchedPrograms().map(closedToOthers).find(Boolean);
  if (closed === undefined) return;
  process.stderr.write(
    `ctx mount: warning: other users cannot start what bin/ names: ${closed}\nhint: install node and CortexFS below /usr or /opt\n`,
  );
}

function alreadyMounted(invocation: Invocation, now: MountReceipt, source: string, root: string): number {
  if (now.source === source && now.root === root) {
    // Another checkout may have mounted it, and be gone by now.
    writeLaunchers(source);
    announce(invocation, { root, source, transport: now.transport, already: true, found: [] });
    return 0;
  }
  const why = `${now.source} is mounted at ${now.root} already`;
  throw new CortexError('EBUSY', why, { layer: 'mount', hint: 'ctx umount, then mount again' });
}

interface Report {
  readonly root: string;
  readonly source: string;
  readonly transport: string | undefined;
  readonly already: boolean;
  /** What an earlier end had left behind. */
  readonly found: readonly string[];
}

function announce(invocation: Invocation, report: Report): void {
  if (!invocation.json) for (const line of report.found) process.stdout.write(`found: ${line}\n`);
  if (invocation.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else if (report.already) process.stdout.write(`already mounted: ${report.source} at ${report.root}\n`);
  else if (flag(invocation, 'quiet')) process.stdout.write('mounted\n');
  else {
    const undo = flag(invocation, 'system') ? 'ctx umount --system' : 'ctx umount';
    process.stdout.write(
      `mounted ${report.source} at ${report.root} (${report.transport})\nto undo: ${undo}\n`,
    );
  }
}
