import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { runtimeTree } from '@cortexfs/abi/paths';
import { formatMountReceipt, MOUNT_SCHEMA } from '@cortexfs/abi/receipt/mount';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { cortexMountAt } from '@cortexfs/linux/mount-table';
import { startTimeOf } from '@cortexfs/linux/process';
import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import { flag, type Invocation, text } from '../command/command.ts';
import { startDaemon } from '../mount/daemon.ts';
import { runnerOf, writeLaunchers } from '../mount/launchers.ts';
import { deployment } from '../place/deployment.ts';
import { mountReceipt, servesStill } from '../place/receipt.ts';
import { faultOf } from '../place/root.ts';

/** `ctx mount`: serves the store at a root. Done already: says so. See docs/mount.md. */
export async function run(invocation: Invocation): Promise<number> {
  const place = deployment();
  const source = resolve(text(invocation, 'source') ?? place.store);
  const plain = flag(invocation, 'plain');
  const root = plain ? source : resolve(invocation.operands[0] ?? invocation.root ?? place.defaultMount);
  if (!existsSync(`${source}/agent`)) {
    throw new CortexError('ENOENT', `${source} is not a store`, { layer: 'store', hint: 'ctx bootstrap' });
  }
  ensureRuntimeDir(place.runtime, 'log');
  const now = mountReceipt(place.runtime);
  if (now && servesStill(now) && faultOf(now.root) === undefined)
    return alreadyMounted(invocation, now, source, root);

  const found =
    now && !servesStill(now)
      ? [`the daemon of the last mount (pid ${now.pid}) had ended without unmounting`]
      : [];
  writeLaunchers(source);
  if (plain) await usePlainly(source, place.runtime);
  else await serve(invocation, source, root, place.runtime);
  const transport = mountReceipt(place.runtime)?.transport;
  announce(invocation, { root, source, transport, already: false, found });
  return 0;
}

async function serve(invocation: Invocation, source: string, root: string, runtime: string): Promise<void> {
  makeMountPoint(root, runtime);
  const transport = text(invocation, 'transport');
  const args = ['--source', source, '--mount', root, '--runtime', runtime, '--runner', runnerOf(source)];
  await startDaemon(root, transport ? [...args, '--transport', transport] : args, runtime);
}

/** Only a directory of our own is made. Behind a dead mount nothing can be made: the daemon clears it first. */
function makeMountPoint(root: string, runtime: string): void {
  if (cortexMountAt(root) !== undefined) return;
  if (root.startsWith(`${runtime}/`)) mkdirSync(root, { recursive: true, mode: 0o700 });
}

function alreadyMounted(
  invocation: Invocation,
  now: NonNullable<ReturnType<typeof mountReceipt>>,
  source: string,
  root: string,
): number {
  if (now.source === source && now.root === root) {
    // Another checkout may have mounted it, and be gone by now.
    writeLaunchers(source);
    announce(invocation, { root, source, transport: now.transport, already: true, found: [] });
    return 0;
  }
  const why = `${now.source} is mounted at ${now.root} already`;
  throw new CortexError('EBUSY', why, { layer: 'mount', hint: 'ctx umount, then mount again' });
}

/** The store itself is the root: said loudly, for nothing of what makes the mount safe is there. */
async function usePlainly(source: string, runtime: string): Promise<void> {
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
  else
    process.stdout.write(
      `mounted ${report.source} at ${report.root} (${report.transport})\nto undo: ctx umount\n`,
    );
}
