import { constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { O_PATH } from '@cortexfs/linux/entry';

/** Opens the store; the caller closes it. Links on the way are followed: it is where the caller says. */
export function openStore(source: string): number {
  const store = open(source);
  if (isCortexMount(fstatSync(store, { bigint: true }).dev)) {
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

function isCortexMount(dev: bigint): boolean {
  const number = `${majorOf(dev)}:${minorOf(dev)}`;
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .some((line) => {
      const [before, after] = line.split(' - ');
      return before?.split(' ')[2] === number && after?.startsWith('fuse.cortexfs ');
    });
}

const majorOf = (dev: bigint) => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
const minorOf = (dev: bigint) => (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
