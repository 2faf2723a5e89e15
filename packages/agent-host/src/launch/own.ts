import { mkdirSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { agentExec, home } from '@cortexfs/abi/paths';
import { loadDefinition } from '../definition/load.ts';
import type { Definition } from './files.ts';
import type { Site } from './instance.ts';
import { receiptsOf } from './receipt-file.ts';

/**
 * EACCES unless an agent is this user's to start and stop. On the machine's mount that is its owner alone: there each
 * agent runs as its owner, with sockets and receipts in that user's runtime directory, also when root would start it.
 */
export function requireOwn({ system }: Site, { name, owner }: Definition): void {
  const self = process.geteuid!();
  if (self === owner || (self === 0 && system === undefined)) return;
  throw new CortexError('EACCES', `it belongs to uid ${owner}, not to uid ${self}`, {
    path: agentExec(name),
    layer: 'credentials',
    hint: self === 0 ? `sudo -u '#${owner}' ctx agent start ${name}` : 'ctx status lists the agents',
  });
}

/** Whether an agent runs under this user, as far as its receipts and its definition tell. */
export function isOwn(site: Site, name: ObjectName): boolean {
  if (receiptsOf(site.runtime, name).length > 0) return true;
  try {
    requireOwn(site, loadDefinition(site.store, name));
    return true;
  } catch {
    return false;
  }
}

/** A user's home on the machine's mount is made by themselves, through the mount: its store is root's to write. */
export function makeHome({ root, system }: Site, owner: number): void {
  if (system === undefined) return;
  try {
    mkdirSync(`${root}/${home(owner)}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
