import { readdir, realpath, stat } from 'node:fs/promises';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { MountOptions } from '../arguments.ts';
import { prepareTarget } from '../transport/mount-point/target.ts';

/** Refuses directories that cannot work, before anything is changed; takes away a dead mount. Returns canonical paths. */
export async function checkDirectories({
  source,
  root,
}: MountOptions): Promise<{ source: string; root: string }> {
  const store = await canonicalStore(source);
  const target = await prepareTarget(root);
  await requireOwnEmpty(target);
  if (isWithin(store, target) || isWithin(target, store))
    throw new CortexError('EINVAL', 'mount point and store must not lie within each other', {
      path: target,
      layer: 'mount',
    });
  return { source: store, root: target };
}

async function canonicalStore(source: string): Promise<string> {
  try {
    const path = await realpath(source);
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    throw fromNodeError(error, { path: source, layer: 'store', hint: 'ctx bootstrap' });
  }
  throw new CortexError('ENOTDIR', 'the store is not a directory', { path: source, layer: 'store' });
}

async function requireOwnEmpty(root: string): Promise<void> {
  const { uid } = await stat(root);
  const self = process.geteuid!();
  if (self !== 0 && uid !== self)
    throw new CortexError('EACCES', `the mount point belongs to uid ${uid}`, {
      path: root,
      layer: 'mount',
      hint: 'mount at a directory of your own',
    });
  if ((await readdir(root)).length > 0)
    throw new CortexError('ENOTEMPTY', 'the mount point is not empty: what is in it would be hidden', {
      path: root,
      layer: 'mount',
      hint: 'mount at an empty directory',
    });
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
