import { readFileSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { STATUS } from '@cortexfs/abi/paths';
import { mountReceipt } from '@cortexfs/linux/mount-receipt';
import { findPlace, type Place } from '@cortexfs/linux/place';
import { statOf } from '@cortexfs/linux/process';

/** Why a root does not answer, and what to do about it. */
export interface Fault {
  readonly what: string;
  readonly hint: string;
}

/**
 * The root to work on, when it answers (docs/paths.md).
 * @throws CortexError ENOTCONN when nothing is mounted there or its daemon is gone.
 */
export function liveRoot(option: string | undefined): string {
  const place = findPlace(option);
  const fault = faultOf(place);
  if (fault)
    throw new CortexError('ENOTCONN', `${place.root}: ${fault.what}`, { layer: 'mount', hint: fault.hint });
  return place.root;
}

/** What brings a root back. */
export function mountHint(kind: Place['kind']): string {
  return kind === 'system' ? 'as root: ctx mount --system' : 'ctx mount';
}

/** What is wrong with a root; undefined when it answers. */
export function faultOf(place: Pick<Place, 'kind' | 'root' | 'mountRuntime'>): Fault | undefined {
  const stopped = stoppedDaemon(place);
  // It would be waited for without end.
  if (stopped !== undefined)
    return { what: `its daemon is stopped (pid ${stopped})`, hint: `kill -CONT ${stopped}` };
  const what = whyNoAnswer(place.root);
  return what === undefined ? undefined : { what, hint: mountHint(place.kind) };
}

/** The process that serves a root, when it is stopped by a signal or a debugger. */
function stoppedDaemon({ root, mountRuntime }: Pick<Place, 'root' | 'mountRuntime'>): number | undefined {
  const receipt = mountReceipt(mountRuntime);
  if (receipt?.root !== root) return undefined;
  const stat = statOf(receipt.pid);
  return stat?.startTime === receipt.start_time && 'Tt'.includes(stat.state) ? receipt.pid : undefined;
}

/** Why a root does not answer; undefined when it does. Waits for its daemon. */
export function whyNoAnswer(root: string): string | undefined {
  try {
    const status = readFileSync(`${root}/${STATUS}`, 'utf8');
    return status === 'ready\n' ? undefined : 'this is not a CortexFS root';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'CortexFS is not mounted here';
    if (code === 'ENOTCONN') return 'the mount is dead: its daemon ended without unmounting';
    return `the root does not answer (${code})`;
  }
}
