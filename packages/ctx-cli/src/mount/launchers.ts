import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatLauncher } from '@cortexfs/abi/launcher';
import { DEFAULT_RUNNER } from '@cortexfs/abi/object-metadata';
import { binary } from '@cortexfs/abi/paths';
import { writeDurableSync } from '@cortexfs/linux/durable-write';
import { findPeerBin, type PeerPackage } from '@cortexfs/linux/peer-bin';

/** What `bin/` of the root offers: the name there and the package that brings it. */
const launchers: readonly (readonly [string, PeerPackage])[] = [
  ['ctx', 'ctx-cli'],
  ['ctxterm', 'ctxterm'],
  ['tsh', 'tsh'],
  ['cortexfs-object-runner', 'cortexfs-object-runner'],
];

/**
 * Writes the launchers of this installation into a store's bin/ where they differ. They name node and the bins by absolute
 * path, so that they work without any PATH and with node under a home directory. See docs/mount.md.
 */
export function writeLaunchers(store: string): void {
  mkdirSync(join(store, 'bin'), { recursive: true, mode: 0o755 });
  for (const [name, peer] of launchers) {
    const path = join(store, binary(name));
    const content = formatLauncher({ node: process.execPath, script: findPeerBin(peer) });
    if (contentOf(path) !== content) writeDurableSync(path, content, { mode: 0o755 });
  }
}

/** What launchers start: node, and the script of each. */
export function launchedPrograms(): string[] {
  return [process.execPath, ...launchers.map(([, peer]) => findPeerBin(peer))];
}

/** The path that objects name as their interpreter: the system's runner, else the launcher in the store. */
export function runnerOf(store: string): string {
  return existsSync(DEFAULT_RUNNER) ? DEFAULT_RUNNER : join(store, binary('cortexfs-object-runner'));
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
