import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { applyEntry, type Outcome } from '../bootstrap/apply.ts';
import { planStore } from '../bootstrap/plan.ts';
import { readReference } from '../bootstrap/reference.ts';
import { flag, type Invocation } from '../command/command.ts';
import { runnerOf, writeLaunchers } from '../mount/launchers.ts';
import { chosenDeployment } from '../place/deployment.ts';

interface Line {
  readonly path: string;
  readonly outcome: Outcome | 'would_skip';
  readonly why?: string;
}

/** `ctx bootstrap [--system] [--dry-run] [STORE]`: brings what is missing of the reference tree; never changes what is there. */
export async function run(invocation: Invocation): Promise<number> {
  const place = chosenDeployment(invocation);
  const store = resolve(invocation.operands[0] ?? place.store);
  const dryRun = flag(invocation, 'dry-run');
  if (!dryRun) makeStore(store, place.kind);
  const user = { uid: process.getuid!(), gid: process.getgid!() };
  const lines: Line[] = planStore(readReference(), user, runnerOf(store)).map((entry) => ({
    path: entry.path,
    outcome: applyEntry(store, entry, dryRun),
  }));
  // A service that serves the machine's store starts the daemon by itself, without ctx mount.
  if (place.kind === 'system' && !dryRun) writeLaunchers(store);
  print(invocation, store, [...lines, ...legacy(store)]);
  return 0;
}

/** What everybody's programs run from has to be open to everybody, whatever root's umask is. */
function makeStore(store: string, kind: 'user' | 'system'): void {
  if (kind === 'system') process.umask(0o022);
  mkdirSync(store, { recursive: true, mode: kind === 'system' ? 0o755 : 0o700 });
}

/** `base` was a reference agent once. Nothing proves whose its tree is now, so a person has to look at it. */
function legacy(store: string): Line[] {
  const why = 'a reference agent of the past; review it and remove it by hand';
  return existsSync(`${store}/agent/base`) || existsSync(`${store}/agent/base.d`)
    ? [{ path: 'agent/base', outcome: 'would_skip', why }]
    : [];
}

function print(invocation: Invocation, store: string, lines: readonly Line[]): void {
  const written = lines.filter(({ outcome }) => outcome === 'wrote').length;
  if (invocation.json) {
    process.stdout.write(`${JSON.stringify({ store, written, entries: lines })}\n`);
    return;
  }
  if (!flag(invocation, 'quiet')) {
    for (const { path, outcome, why } of lines)
      process.stdout.write(`${outcome.padEnd(11)} ${path}${why ? ` (${why})` : ''}\n`);
  }
  process.stdout.write(
    written === 0 && !flag(invocation, 'dry-run')
      ? `already complete: ${store}\n`
      : `${written} written: ${store}\n`,
  );
}
