import { closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { fromNodeError } from '@cortexfs/abi/errors';
import { homeAgent, privateSessions, SANDBOX } from '@cortexfs/abi/paths';
import { openBeneath } from '@cortexfs/linux/open-beneath';
import { bind } from './bind.ts';
import { locate } from './identity.ts';
import type { SandboxSpec } from './spec.ts';
import type { Step } from './step.ts';

/** /home/agent, writable, from the agent's home in the store; its sessions are the host's to write. */
export function home({ definition: { owner, name }, store }: SandboxSpec): Step[] {
  const sessions = privateSessions(owner, name);
  makeDirectories(store, sessions);
  return [
    bind(beneath(store, homeAgent(owner, name)), SANDBOX.home, 'rw'),
    bind(beneath(store, sessions), SANDBOX.sessions, 'ro'),
  ];
}

/** Makes a directory below `base` with those above it (0700), through descriptors: no link is followed. */
export function makeDirectories(base: string, path: string): void {
  let directory = openSync(base, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    for (const name of path.split('/')) {
      mkdirSync(`/proc/self/fd/${directory}/${name}`, { recursive: true, mode: 0o700 });
      const next = openBeneath(directory, name, constants.O_RDONLY | constants.O_DIRECTORY);
      closeSync(directory);
      directory = next;
    }
  } catch (error) {
    throw fromNodeError(error, { path, layer: 'store' });
  } finally {
    closeSync(directory);
  }
}

/** A directory below `base`, reached without following a link. */
function beneath(base: string, path: string) {
  const root = openSync(base, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const directory = openBeneath(root, path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      return locate(`/proc/self/fd/${directory}`, 'directory');
    } finally {
      closeSync(directory);
    }
  } catch (error) {
    throw fromNodeError(error, { path, layer: 'store' });
  } finally {
    closeSync(root);
  }
}
