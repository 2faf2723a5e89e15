import { dirname } from 'node:path';
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

/** The folders of everything of this installation that runs on the host: its packages and what they load. */
export function installedFolders(): string[] {
  const packages = PACKAGES.flatMap(folderOf);
  return [...new Set([...packages, ...packages.flatMap(dependencyFolders).map(({ target }) => target)])];
}

function folderOf(name: PeerPackage): string[] {
  try {
    return [dirname(dirname(findPeerBin(name)))];
  } catch {
    // Each bin can be installed without the others.
    return [];
  }
}
