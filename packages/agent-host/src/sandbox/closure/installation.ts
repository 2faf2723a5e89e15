import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPeerBin, type PeerPackage } from '@cortexfs/linux/peer-bin';
import { dependencyFolders } from './dependency.ts';

const PACKAGES: readonly PeerPackage[] = [
  'ctx-cli',
  'ctxterm',
  'tsh',
  'cortexfs-object-runner',
  'cortexfs-fuse',
  'agent-host',
  'object-installer',
];

/**
 * Everything of this installation that runs on the host: its packages, what they load, and in a checkout what its npm
 * scripts run and where the bins are linked.
 */
export function installedFolders(): string[] {
  const packages = PACKAGES.flatMap(folderOf);
  const loaded = packages.flatMap(dependencyFolders).map(({ target }) => target);
  return [...new Set([...packages, ...loaded, ...packages.flatMap(checkoutPrograms)])];
}

/** A package `packages/NAME` of a checkout; one that was installed lies elsewhere. */
function checkoutPrograms(folder: string): string[] {
  const checkout = dirname(dirname(folder));
  if (!existsSync(join(checkout, 'pnpm-workspace.yaml'))) return [];
  return ['dist', 'setup', 'node_modules', 'package.json', 'pnpm-workspace.yaml', 'tools', 'agents']
    .map((name) => join(checkout, name))
    .filter((path) => existsSync(path));
}

function folderOf(name: PeerPackage): string[] {
  try {
    return [dirname(dirname(findPeerBin(name)))];
  } catch {
    // Each bin can be installed without the others.
    return [];
  }
}
