import { readdirSync, readFileSync } from 'node:fs';
import { type AgentStatus, status as codec } from '@cortexfs/abi/controls/status';
import { isObjectName, type ObjectName } from '@cortexfs/abi/names';
import { agentControl, runtimeTree } from '@cortexfs/abi/paths';
import { type CleanupReceipt, parseCleanupReceipt } from '@cortexfs/abi/receipt/cleanup';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { loadDefinition } from '../definition/load.ts';
import type { Site } from './instance.ts';
import { isOwn } from './own.ts';
import { receiptsOf } from './receipt-file.ts';
import { readStatus } from './status-file.ts';

export interface InstanceState
  extends Pick<
    LaunchReceipt,
    'role' | 'session' | 'pid' | 'socket' | 'workspace' | 'cwd' | 'mounts' | 'command' | 'created_at'
  > {
  alive: boolean;
}

export interface AgentState {
  agent: ObjectName;
  /** `dead` also when the status file says otherwise but no socket host lives. */
  status: AgentStatus;
  instances: readonly InstanceState[];
  /** Receipts that cannot be read. */
  damaged: readonly string[];
  last_cleanup: CleanupReceipt | null;
}

/** Where an agent stands; live truth is which receipts' processes live. ENOENT when there is no such agent. */
export function agentState(site: Site, name: ObjectName): AgentState {
  // Broken controls do not hide what runs; it is the agent that must exist.
  if (!agentNames(site).includes(name)) loadDefinition(site.store, name);
  const entries = receiptsOf(site.runtime, name);
  const instances = entries.flatMap(({ receipt, alive }) =>
    receipt ? [{ ...stateOf(receipt), alive }] : [],
  );
  if (site.system !== undefined && !isOwn(site, name))
    return { ...nothing(name), status: shownStatus(site, name) };
  const hosted = instances.some(({ role, alive }) => role === 'socket' && alive);
  const written = readStatus(site.runtime, name);
  return {
    agent: name,
    status: hosted || written === 'start' ? written : 'dead',
    instances,
    damaged: entries.filter(({ receipt }) => receipt === undefined).map(({ file }) => file),
    last_cleanup: lastCleanup(site.runtime, name),
  };
}

/** Somebody else's receipts are theirs alone; what the mount says of their agent is for everybody. */
function shownStatus({ root }: Site, name: ObjectName): AgentStatus {
  return codec.parse(readFileSync(`${root}/${agentControl(name, 'status')}`, 'utf8'));
}

function nothing(agent: ObjectName) {
  return { agent, instances: [], damaged: [], last_cleanup: null };
}

/** Every agent of the store, and every one that has receipts whatever became of its definition, in name order. */
export function agentNames({ store, runtime }: Site): ObjectName[] {
  const defined = directoriesIn(`${store}/agent`)
    .filter((name) => name.endsWith('.d'))
    .map((name) => name.slice(0, -2));
  const launched = directoriesIn(`${runtime}/launch`).filter(
    (name) => isObjectName(name) && receiptsOf(runtime, name).length > 0,
  );
  return [...new Set([...defined, ...launched])].filter(isObjectName).sort();
}

/** None where there is no such directory: without a store there are no agents. */
function directoriesIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function stateOf({ role, session, pid, socket, workspace, cwd, mounts, command, created_at }: LaunchReceipt) {
  const chosen = { ...(cwd && { cwd }), ...(mounts && { mounts }), ...(command && { command }) };
  return { role, session, pid, socket, workspace, ...chosen, created_at };
}

function lastCleanup(runtime: string, name: ObjectName): CleanupReceipt | null {
  try {
    return parseCleanupReceipt(readFileSync(runtimeTree(runtime).cleanupReceipt(name), 'utf8'));
  } catch {
    return null;
  }
}
