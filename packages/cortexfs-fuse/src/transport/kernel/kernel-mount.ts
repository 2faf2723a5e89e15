import { CortexError } from '@cortexfs/abi/errors';
import type { Mount, MountEnd } from '../mount.ts';
import { prepareTarget } from '../mount-point/target.ts';
import { unmount } from '../mount-point/unmount.ts';
import { acquireDevice } from './acquire.ts';
import { ServingThread } from './serving-thread.ts';

export interface KernelMountOptions {
  /** The directory to mount at; it must exist. */
  readonly root: string;
  /** Shown as source in the mount table; the store's path. */
  readonly source: string;
  /** Module that calls `serveInWorker`. */
  readonly worker: URL;
  /** Handed to the worker's file system builder by structured clone. */
  readonly fileSystem: unknown;
  /** Users other than the mounting one may use the mount. */
  readonly allowOther?: boolean;
  readonly log: (line: string) => void;
}

/** Mounts and serves from a thread of its own. Resolves when the mount answers (docs/transport.md). */
export async function mountKernel(options: KernelMountOptions): Promise<Mount> {
  const root = await prepareTarget(options.root);
  const { source, allowOther = false } = options;
  const device = await acquireDevice({ path: root, source, allowOther });
  const thread = new ServingThread(device, options);
  // A mount that nobody serves any more only makes trouble.
  const ended = thread.ended.then(async (end) => {
    if (end.reason === 'failed')
      await unmount(root, { lazy: true }).catch(({ message }) => options.log(message));
    return end;
  });
  await Promise.race([thread.ready, ended.then(neverReady)]);
  return {
    root,
    ended,
    async unmount() {
      await unmount(root);
      return ended;
    },
    async detach() {
      await unmount(root, { lazy: true });
      await thread.stop();
      return ended;
    },
  };
}

function neverReady({ error }: MountEnd): never {
  throw error ?? new CortexError('EIO', 'the mount ended before it answered', { layer: 'mount' });
}
