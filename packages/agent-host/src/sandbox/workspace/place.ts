import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { runtimesOf } from '@cortexfs/abi/deployment';
import { CortexError } from '@cortexfs/abi/errors';
import { deploymentOf } from '@cortexfs/linux/place';
import { within } from '../closure/closure.ts';
import { type Located, locate } from '../identity.ts';
import type { SandboxSpec } from '../spec.ts';

/**
 * The directory behind /workspace, judged once. EACCES for places that would hand the agent its own rules, the
 * owner's shell start-up files or the host's sockets.
 */
export function workspacePlace(
  spec: Pick<SandboxSpec, 'definition' | 'root' | 'store'> & { workspace: string },
): Located {
  const located = locate(spec.workspace, 'directory');
  const fault = faultOf(located.path, sensitivePlaces(spec)) ?? accessFault(located, spec.definition.uid);
  if (fault === undefined) return located;
  throw new CortexError('EACCES', `cannot be a workspace: ${fault}`, {
    path: located.path,
    layer: 'sandbox',
    hint: 'change to a project directory; ctx agent start also takes --workspace DIR',
  });
}

/** What the launcher may not enter, and, as nobody in a sandbox has a capability, what its owner has closed to himself. */
function accessFault({ path, uid, mode }: Located, agentUid: number): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch {
    return 'you have no permission to read and enter it';
  }
  const closed = uid === agentUid && (mode & 0o500) !== 0o500;
  return closed ? `its mode does not let uid ${uid} read and enter it` : undefined;
}

/** Why a path may not be shown writable to an agent, or undefined when it may. */
export function faultOf(path: string, { own, homes }: SensitivePlaces): string | undefined {
  if (path === '/') return 'it is the root directory';
  const system = SYSTEM_PLACES.find((place) => within(place, path));
  if (system !== undefined) return `${system} belongs to the operating system`;
  const home = homes.find((place) => within(path, place));
  if (home !== undefined) return 'it holds your home directory with its start-up files';
  const touched = own.find((place) => within(place, path) || within(path, place));
  return touched === undefined ? undefined : `CortexFS keeps its own files in ${touched}`;
}

export interface SensitivePlaces {
  own: readonly string[];
  homes: readonly string[];
}

export function sensitivePlaces({ root, store }: Pick<SandboxSpec, 'root' | 'store'>): SensitivePlaces {
  const { runtime, config, secrets } = deploymentOf('user');
  const ofTheMachine = ['/var/lib/cortexfs', ...runtimesOf(process.getuid!())].filter((path) =>
    existsSync(path),
  );
  return {
    own: [root, store, runtime, config, secrets, ...ofTheMachine].map(real),
    homes: [homedir(), ...registeredHome()].map(real),
  };
}

/** HOME may be set to anything; what the user database says counts as well, when it knows this uid. */
function registeredHome(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    return [];
  }
}

/** Sockets, devices, boot files, configuration, programs. */
const SYSTEM_PLACES = [
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/var/run',
  '/boot',
  '/etc',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
];

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
