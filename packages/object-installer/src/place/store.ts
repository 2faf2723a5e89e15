import { constants, openSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { CORTEX_TYPE, mountOfDescriptor } from '@cortexfs/linux/mount-table';
import { O_PATH } from '@cortexfs/linux/o-path';

/** Opens the store; the caller closes it. Links on the way are followed: it is where the caller says. */
export function openStore(source: string): number {
  const store = open(source);
  if (mountOfDescriptor(store)?.type === CORTEX_TYPE) {
    throw new CortexError('EINVAL', 'is the mount, which nobody installs through', {
      path: source,
      layer: 'store',
      hint: 'give the store behind it: ctx env',
    });
  }
  return store;
}

function open(source: string): number {
  try {
    return openSync(source, O_PATH | constants.O_DIRECTORY);
  } catch (err) {
    throw fromNodeError(err, { path: source, layer: 'store', hint: 'ctx env tells where the store is' });
  }
}
