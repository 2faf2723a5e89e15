import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { STATUS } from '@cortexfs/abi/paths';
import { mountReceipt } from '@cortexfs/linux/mount-receipt';
import { findPlace } from '@cortexfs/linux/place';
import type { Site } from './instance.ts';

export interface SiteOptions {
  root?: string | undefined;
  source?: string | undefined;
  runtime?: string | undefined;
}

/** Where to work: what the options name, else what the mount's receipt says, else where docs/paths.md puts it. */
export function siteOf(options: SiteOptions): Site {
  const place = findPlace(options.root);
  const runtime = resolve(options.runtime ?? place.runtime);
  const receipt = mountReceipt(options.runtime === undefined ? place.mountRuntime : runtime);
  const named = options.root === undefined && options.runtime !== undefined ? receipt?.root : undefined;
  const root = named ?? place.root;
  const store = receipt?.root === root ? receipt.source : place.store;
  const system = place.kind === 'system' && place.root === root ? place.mountRuntime : undefined;
  return { runtime, root, store: resolve(options.source ?? store), system };
}

/** ENOTCONN when nothing answers at the root: an agent without its view cannot be started. */
export function requireMount({ root, system }: Site): void {
  const fault = faultOf(root);
  if (fault === undefined) return;
  const hint = system === undefined ? 'ctx mount' : 'as root: ctx mount --system';
  throw new CortexError('ENOTCONN', `${root}: ${fault}`, { layer: 'mount', hint });
}

function faultOf(root: string): string | undefined {
  try {
    return readFileSync(`${root}/${STATUS}`, 'utf8') === 'ready\n'
      ? undefined
      : 'this is not a CortexFS root';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'CortexFS is not mounted here' : `the mount does not answer (${code})`;
  }
}
