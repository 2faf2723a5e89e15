import { readdirSync, readFileSync } from 'node:fs';
import type { AgentStatus } from '@cortexfs/abi/controls/status';
import { isObjectName, type ObjectName } from '@cortexfs/abi/names';
import { runtimeTree } from '@cortexfs/abi/paths';
import { type CleanupReceipt, parseCleanupReceipt } from '@cortexfs/abi/receipt/cleanup';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { loadDefinition } from '../definition/load.ts';
import type { Site } from './instance.ts';
import { receiptsOf } from './receipt-file.ts';
import { readStatus } from './status-file.ts';

export interface InstanceState
  extends Pick<LaunchReceipt, 'role' | 'session' | 'pid' | 'socket' | 'workspace' | 'created_at'> {
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
  if (!agentNames(site.store).includes(name)) loadDefinition(site.store, name);
  const entries = receiptsOf(site.runtime, name);
  const instances = entries.flatMap(({ receipt, alive }) =>
    receipt ? [{ ...stateOf(receipt), alive }] : [],
  );
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

/** Every agent of the store, in name order. */
export function agentNames(store: string): ObjectName[] {
  return readdirSync(`${store}/agent`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.endsWith('.d'))
    .map((entry) => entry.name.slice(0, -2))
    .filter(isObjectName)
    .sort();
}

function stateOf({ role, session, pid, socket, workspace, created_at }: LaunchReceipt) {
  return { role, session, pid, socket, workspace, created_at };
}

function lastCleanup(runtime: string, name: ObjectName): CleanupReceipt | null {
  try {
    return parseCleanupReceipt(readFileSync(runtimeTree(runtime).cleanupReceipt(name), 'utf8'));
  } catch {
    return null;
  }
}
