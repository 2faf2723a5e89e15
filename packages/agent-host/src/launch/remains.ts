import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { removeAlias, targetOf } from './alias.ts';
import { type Definition, filesOf } from './files.ts';
import { removeFile } from './hold.ts';
import type { Site } from './instance.ts';
import { type FoundReceipt, receiptsOf } from './receipt-file.ts';

/** Removes what instances that died left behind; says what it found, a sentence each. */
export async function recover(site: Site, definition: Definition): Promise<string[]> {
  const found: string[] = [];
  for (const entry of receiptsOf(site.runtime, definition.name)) {
    if (!entry.alive) found.push(...(await removeRemains(site, definition, entry)));
  }
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
  if (receipt === undefined) {
    found.push(`removed a damaged receipt: ${file}`);
  } else {
    found.push(`the ${describeRole(receipt)} (pid ${receipt.pid}) had ended without cleaning up`);
    const { socket, alias } = filesOf({ site, definition, role: receipt.role, session: receipt.session });
    if (existsSync(socket)) {
      removeFile(socket);
      found.push(`removed its socket ${socket}`);
    }
    if (targetOf(join(site.store, alias)) === socket) {
      await removeAlias(site.store, alias, socket);
      found.push(`removed its alias ${alias}`);
    }
  }
  removeFile(file);
  return found;
}

export function describeRole({ role, session }: Pick<LaunchReceipt, 'role' | 'session'>): string {
  return role === 'socket' ? 'socket host' : `terminal of session "${session}"`;
}
