import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { answerOf, requireAnswer } from '@cortexfs/linux/answer';
import { cortexMountAt } from '@cortexfs/linux/mount-table';
import { unmount } from './unmount.ts';

/**
 * Checks the directory to mount at and returns its canonical path. A mount of ours whose daemon died is taken away
 * first; a living one is EBUSY, and whatever hangs there is ETIMEDOUT.
 */
export async function prepareTarget(root: string): Promise<string> {
  await requireAnswer(root);
  const path = await canonical(root);
  while (await isStale(path)) await unmount(path, { lazy: true });
  const upper = cortexMountAt(path);
  if (upper !== undefined) {
    throw new CortexError('EBUSY', `CortexFS is already mounted here (of ${upper.source})`, {
      path,
      layer: 'mount',
    });
  }
  const found = await lstat(path).catch((error: unknown) => {
    throw fromNodeError(error, { path, layer: 'mount' });
  });
  if (!found.isDirectory())
    throw new CortexError('ENOTDIR', 'the mount point is not a directory', { path, layer: 'mount' });
  return path;
}

/** The last component is not looked at: behind a dead mount it cannot be. */
async function canonical(root: string): Promise<string> {
  const parent = await realpath(dirname(root)).catch((error: unknown) => {
    throw fromNodeError(error, { path: root, layer: 'mount' });
  });
  return join(parent, basename(root));
}

/** Whether a CortexFS mount without a daemon lies at this canonical path. */
async function isStale(path: string): Promise<boolean> {
  if (cortexMountAt(path) === undefined) return false;
  return (await answerOf(path)) === 'dead';
}
