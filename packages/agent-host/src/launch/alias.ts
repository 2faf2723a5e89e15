import { randomBytes } from 'node:crypto';
import { readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { fsyncDirectory } from '@cortexfs/linux/durable-write';

/** Makes the ABI path of a socket a link to the real one, in one step: there is never half an alias. */
export async function createAlias(store: string, alias: string, socket: string): Promise<void> {
  const path = join(store, alias);
  const temporary = join(dirname(path), `.cortexfs-write-${randomBytes(8).toString('hex')}`);
  try {
    symlinkSync(socket, temporary);
    renameSync(temporary, path);
    await fsyncDirectory(dirname(path));
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw fromNodeError(error, { path: alias, layer: 'store' });
  }
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
export async function removeAlias(store: string, alias: string, socket: string): Promise<void> {
  const path = join(store, alias);
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
