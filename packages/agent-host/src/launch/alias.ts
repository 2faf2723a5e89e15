import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { replaceLinkSync } from '@cortexfs/linux/durable-write';
import type { Site } from './instance.ts';

/** Makes the ABI path of a socket a link to the real one. In a store of one's own in one step: there is never half an alias. */
export function createAlias(site: Site, alias: string, socket: string): void {
  try {
    if (site.system === undefined) replaceLinkSync(join(site.store, alias), socket);
    else relink(join(site.root, alias), socket);
  } catch (error) {
    throw fromNodeError(error, { path: alias, layer: 'store' });
  }
}

/** The machine's store is not ours to write; its mount lets the agent's owner make the link and nothing else. */
function relink(path: string, target: string): void {
  if (targetOf(path) !== undefined) unlinkSync(path);
  symlinkSync(target, path);
}

/** How long the mount may go on showing what was there before. */
const CACHED_MS = 5000;

/** EIO when the mount does not come to show the alias: clients would not find the socket. */
export async function readBackAlias(root: string, alias: string, socket: string): Promise<void> {
  const deadline = performance.now() + CACHED_MS;
  let shown = targetOf(join(root, alias));
  while (shown !== socket && performance.now() < deadline) {
    await delay(25);
    shown = targetOf(join(root, alias));
  }
  if (shown === socket) return;
  throw new CortexError('EIO', `the mount shows ${shown ?? 'nothing'} instead of a link to ${socket}`, {
    path: alias,
    layer: 'mount',
    hint: 'is it the mount of the store that the agent is in? see: ctx status',
  });
}

/** Removes the alias unless it is somebody else's by now. */
export async function removeAlias(site: Site, alias: string, socket: string): Promise<void> {
  const path = join(site.system === undefined ? site.store : site.root, alias);
  if (targetOf(path) !== socket) return;
  await unlink(path).catch(() => {});
}

export function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
