import { describeError, fromNodeError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import type { CleanedInstance } from '@cortexfs/abi/receipt/cleanup';
import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import { loadDefinition } from '../definition/load.ts';
import { underAgentLock } from './agent-lock.ts';
import { type Cleaned, recordCleanup } from './cleanup.ts';
import type { Definition } from './files.ts';
import type { Site } from './instance.ts';
import { requireOwn } from './own.ts';
import { receiptsOf } from './receipt-file.ts';
import { removeRemains } from './remains.ts';
import { writeStatus } from './status-file.ts';
import { stopInstance } from './stop-instance.ts';

export interface StopReport {
  agent: ObjectName;
  /** Empty when nothing ran. */
  instances: readonly Pick<CleanedInstance, 'role' | 'session' | 'pid' | 'outcome'>[];
  found: readonly string[];
}

/**
 * Stops every instance of an agent that its receipts name, and no process besides (docs/instances.md). Sessions and
 * definition stay. Nothing to stop is no error.
 */
export async function stopAgent(site: Site, name: ObjectName, reason: string): Promise<StopReport> {
  const definition = stoppable(site, name);
  requireOwn(site, definition);
  ensureRuntimeDir(site.runtime, 'launch', name);
  return underAgentLock(site.runtime, name, async () => {
    const entries = receiptsOf(site.runtime, name);
    if (entries.length === 0) return { agent: name, instances: [], found: [] };
    const cleaned: Cleaned[] = [];
    const found: string[] = [];
    // What is told must not keep what runs from being stopped: on a full disk neither can be written.
    const tell = async (what: string, written: Promise<void>) => {
      await written.catch((error) => found.push(`${what} could not be written: ${describe(error)}`));
    };
    if (entries.some(({ alive }) => alive))
      await tell('the status', writeStatus(site.runtime, name, 'stopping'));
    for (const entry of entries) {
      const outcome = entry.receipt && (await stopInstance(entry.receipt));
      if (outcome !== undefined) cleaned.push(outcome);
      if (outcome?.outcome !== 'terminated') found.push(...(await removeRemains(site, definition, entry)));
    }
    await tell('the record of this end', recordCleanup(site.runtime, name, reason, cleaned));
    await tell('the status', writeStatus(site.runtime, name, 'dead'));
    return { agent: name, instances: cleaned.map(summary), found };
  });
}

/** A running agent can be stopped whatever has become of its controls. */
function stoppable(site: Site, name: ObjectName): Definition {
  try {
    return loadDefinition(site.store, name);
  } catch (error) {
    const receipts = receiptsOf(site.runtime, name);
    if (receipts.length === 0) throw error;
    const known = receipts.find(({ receipt }) => receipt !== undefined)?.receipt;
    return { name, owner: known?.uid ?? process.geteuid!() };
  }
}

function describe(error: unknown): string {
  return describeError(fromNodeError(error));
}

function summary({ receipt: { role, session, pid }, outcome }: Cleaned): StopReport['instances'][number] {
  return { role, session, pid, outcome };
}
