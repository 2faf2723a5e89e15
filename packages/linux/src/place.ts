import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Deployment, resolveDeployment, SYSTEM } from '@cortexfs/abi/deployment';
import { mountReceipt, systemMountReceipt } from './mount-receipt.ts';
import { cortexMountAt, mountsAt } from './mount-table.ts';

/** The installation that a command works on, for the user who runs it (docs/paths.md). */
export interface Place extends Deployment {
  /** The root; whether anything answers there is not said. */
  readonly root: string;
  /** Where the mount's receipt is. In the system deployment only root's own runtime directory is the same. */
  readonly mountRuntime: string;
}

/**
 * The root to work on is `--root`, else CTX_ROOT, else /ctx when CortexFS is mounted there, else the root of the user's
 * own mount, else where that would be. It belongs to the machine's deployment when the machine's receipt names it.
 */
export function findPlace(rootOption?: string, env: NodeJS.ProcessEnv = process.env): Place {
  const user = deploymentOf('user', env);
  const root = rootOption === undefined ? chosenRoot(user, env) : resolve(rootOption);
  return systemMountReceipt()?.root === root
    ? { ...deploymentOf('system', env), root, mountRuntime: SYSTEM.runtime }
    : { ...user, root, mountRuntime: user.runtime };
}

/** The calling user's own installation, whatever /ctx is. */
export function ownPlace(env: NodeJS.ProcessEnv = process.env): Place {
  const user = deploymentOf('user', env);
  return { ...user, root: ownRoot(user, env), mountRuntime: user.runtime };
}

/** The deployment of a kind as the calling user has it. */
export function deploymentOf(kind: Deployment['kind'], env: NodeJS.ProcessEnv = process.env): Deployment {
  const uid = process.geteuid!();
  return resolveDeployment({
    uid,
    home: homedir(),
    env,
    kind,
    ctxWritable: isWritableDirectory('/ctx'),
    hasRunUser: lstatSync(`/run/user/${uid}`, { throwIfNoEntry: false })?.uid === uid,
  });
}

function chosenRoot(user: Deployment, env: NodeJS.ProcessEnv): string {
  return !env['CTX_ROOT'] && cortexMountAt('/ctx') ? '/ctx' : ownRoot(user, env);
}

function ownRoot(user: Deployment, env: NodeJS.ProcessEnv): string {
  return (env['CTX_ROOT'] ? undefined : mountReceipt(user.runtime)?.root) ?? user.defaultMount;
}

/** What is mounted there may hang, or be dead. */
function isWritableDirectory(path: string): boolean {
  try {
    if (mountsAt(path).length > 0) return false;
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
