import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { mountReceipt } from '@cortexfs/linux/mount-receipt';
import { removeStale } from '../sandbox/cgroups.ts';
import { endOrphans } from '../sandbox/orphans.ts';
import { removeAlias, targetOf } from './alias.ts';
import { clearDirectory } from './clear-directory.ts';
import { type Definition, filesOf } from './files.ts';
import { removeFile } from './hold.ts';
import type { Site } from './instance.ts';
import { type FoundReceipt, receiptsOf } from './receipt-file.ts';
import { stopInstance } from './stop-instance.ts';

/** Removes what instances that died left behind, and ends terminals whose mount died; says what it found, a sentence each. */
export async function recover(site: Site, definition: Definition): Promise<string[]> {
  removeStale();
  const found = endOrphans().map((pid) => `ended a sandbox whose launcher had been killed (pid ${pid})`);
  for (const entry of receiptsOf(site.runtime, definition.name)) {
    if (!entry.alive) found.push(...(await removeRemains(site, definition, entry)));
    else if (entry.receipt && isBlind(site, entry.receipt))
      found.push(...(await endBlind(site, definition, entry, entry.receipt)));
  }
  return found;
}

/** A terminal's sandbox holds the view that it was started with; when that mount ends, its /ctx never answers again. */
function isBlind(site: Site, { role, start_time }: LaunchReceipt): boolean {
  const mount = mountReceipt(site.system ?? site.runtime);
  return role === 'terminal' && mount?.root === site.root && mount.start_time > start_time;
}

async function endBlind(
  site: Site,
  definition: Definition,
  entry: FoundReceipt,
  receipt: LaunchReceipt,
): Promise<string[]> {
  const { outcome } = await stopInstance(receipt);
  const found = [
    `stopped the ${describeRole(receipt)} (pid ${receipt.pid}): the mount that it saw has ended`,
  ];
  if (outcome !== 'terminated') found.push(...(await removeRemains(site, definition, entry)));
  return found;
}

/** What is deleted is derived from the role, never read from the receipt. */
export async function removeRemains(
  site: Site,
  definition: Definition,
  entry: FoundReceipt,
): Promise<string[]> {
  const { receipt, file } = entry;
  const found: string[] = [];
  removeStale();
  if (receipt === undefined) {
    found.push(`removed a damaged receipt: ${file}`);
  } else {
    found.push(`the ${describeRole(receipt)} (pid ${receipt.pid}) had ended without cleaning up`);
    const { socket, alias } = filesOf({ site, definition, role: receipt.role, session: receipt.session });
    if (lstatSync(socket, { throwIfNoEntry: false })) {
      if (receipt.role === 'terminal') clearDirectory(dirname(socket));
      else removeFile(socket);
      found.push(`removed its socket ${socket}`);
    }
    if (targetOf(join(site.store, alias)) === socket) {
      await removeAlias(site, alias, socket);
      found.push(`removed its alias ${alias}`);
    }
  }
  removeFile(file);
  return found;
}

export function describeRole({ role, session }: Pick<LaunchReceipt, 'role' | 'session'>): string {
  return role === 'socket' ? 'socket host' : `terminal of session "${session}"`;
}
