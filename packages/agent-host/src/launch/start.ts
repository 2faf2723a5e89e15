import { realpathSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { agentExec, agentSocket } from '@cortexfs/abi/paths';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import { loadDefinition } from '../definition/load.ts';
import { declaredMounts } from '../sandbox/mounts.ts';
import { workspacePlace } from '../sandbox/workspace/place.ts';
import { accessOf } from '../sandbox/workspace/workspace.ts';
import type { Supervisor } from '../supervisor/choice.ts';
import { underAgentLock } from './agent-lock.ts';
import { targetOf } from './alias.ts';
import { type LaunchChoice, requireSameChoice, requireVisible } from './choice.ts';
import type { Role, Site } from './instance.ts';
import { requireOwn } from './own.ts';
import { isRunning, receiptsOf } from './receipt-file.ts';
import { describeRole, recover } from './remains.ts';
import { startRole } from './start-role.ts';
import { readStatus, writeStatus } from './status-file.ts';
import { stopInstance } from './stop-instance.ts';

export interface StartOptions extends LaunchChoice {
  site: Site;
  name: ObjectName;
  session: SessionName;
  /** null for an agent without /workspace. */
  workspace: string | null;
  /** Who keeps what is started; nobody but its receipt unless given. */
  supervisor?: Supervisor | undefined;
  /** What node runs for a role process; this program itself unless given. */
  program?: readonly string[];
}

export interface StartReport {
  agent: ObjectName;
  session: SessionName;
  workspace: string | null;
  /** Nothing had to be started. */
  already: boolean;
  instances: readonly LaunchReceipt[];
  /** What an earlier end had left behind, and what was done about it. */
  found: readonly string[];
}

/**
 * Starts the instances of an agent that do not run yet: the session's terminal, then the socket host, which writes
 * `ready` when both aliases can be read through the mount (docs/instances.md). EACCES for a directory that cannot be
 * its workspace, EBUSY when it runs on another one. A failure leaves nothing running that was not running before.
 */
export async function startAgent(options: StartOptions): Promise<StartReport> {
  const { site, name, session } = options;
  const definition = loadDefinition(site.store, name);
  requireOwn(site, definition);
  const workspace = options.workspace === null ? null : realWorkspace(options.workspace);
  const shown = workspace !== null && accessOf(definition) !== 'none';
  // Before anybody is told to stop an agent for the sake of what it cannot have.
  if (shown) workspacePlace({ definition, workspace, root: site.root, store: site.store });
  requireVisible(options.cwd, shown);
  declaredMounts({ definition, root: site.root, store: site.store, mounts: options.mounts ?? [] });
  ensureRuntimeDir(site.runtime, 'launch', name);
  ensureRuntimeDir(site.runtime, 'log');
  return underAgentLock(site.runtime, name, async () => {
    const found = await recover(site, definition);
    const running = receiptsOf(site.runtime, name).flatMap(({ receipt }) => (receipt ? [receipt] : []));
    requireSameRoot(site, name, running);
    requireSameWorkspace(name, running, workspace);
    requireSameChoice(running, options);
    const instances = await startMissing({ ...options, workspace }, running);
    return {
      agent: name,
      session,
      workspace,
      already: instances.every((one) => running.includes(one)),
      instances,
      found,
    };
  });
}

async function startMissing(
  options: StartOptions,
  running: readonly LaunchReceipt[],
): Promise<LaunchReceipt[]> {
  const { site, name, session } = options;
  const before = readStatus(site.runtime, name);
  const host = running.find(({ role }) => role === 'socket');
  if (host === undefined) await writeStatus(site.runtime, name, 'start');
  const started: LaunchReceipt[] = [];
  const start = async (role: Role) => {
    const receipt = await startRole(role, options);
    started.push(receipt);
    return receipt;
  };
  try {
    const terminal = running.find((one) => one.role === 'terminal' && one.session === session);
    const instances = [terminal ?? (await start('terminal')), host ?? (await start('socket'))].reverse();
    requireAlive(name, instances);
    return instances;
  } catch (error) {
    for (const receipt of started) await stopInstance(receipt);
    // The error that ended the start is the one to tell, also when this cannot be written either.
    await writeStatus(site.runtime, name, host === undefined ? 'dead' : before).catch(() => {});
    throw error;
  }
}

/** The terminal may have ended while the socket host started. */
function requireAlive(name: ObjectName, instances: readonly LaunchReceipt[]): void {
  const dead = instances.find((one) => !isRunning(one));
  if (dead === undefined) return;
  throw new CortexError('EHOSTDOWN', `the ${describeRole(dead)} ended at once`, {
    path: agentExec(name),
    layer: 'runtime',
    hint: `see the logs of ${name} in the runtime directory's log/`,
  });
}

function realWorkspace(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw fromNodeError(error, {
      path,
      layer: 'sandbox',
      hint: 'name an existing directory with --workspace DIR',
    });
  }
}

/** A user's agents of all roots keep their receipts in one place: one of a name can run at a time. */
function requireSameRoot(site: Site, name: ObjectName, running: readonly LaunchReceipt[]): void {
  const host = running.find(({ role }) => role === 'socket');
  if (host === undefined || targetOf(`${site.root}/${agentSocket(name)}`) === host.socket) return;
  throw new CortexError('EBUSY', `an agent of this name already runs on another root (pid ${host.pid})`, {
    path: agentExec(name),
    layer: 'runtime',
    hint: `ctx agent stop ${name}`,
  });
}

function requireSameWorkspace(
  name: ObjectName,
  running: readonly LaunchReceipt[],
  workspace: string | null,
): void {
  const other = running.find((one) => one.workspace !== workspace);
  if (other === undefined) return;
  throw new CortexError(
    'EBUSY',
    `already runs on ${other.workspace ?? 'no workspace'}, not on ${workspace ?? 'none'}`,
    {
      path: agentExec(name),
      layer: 'runtime',
      hint: `ctx agent stop ${name}`,
    },
  );
}
