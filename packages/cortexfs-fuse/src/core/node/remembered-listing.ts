import type { InodeStat } from '@cortexfs/linux/stat-at';
import { identityOf } from '../store/identity.ts';
import type { Listed } from './open-directory.ts';

/** Kernels stamp directories by a clock that ticks every few milliseconds; what was changed just now may change again unnoticed. */
const SETTLED_NS = 100_000_000n;
/** Longer ones are not worth their memory. */
const LONGEST = 64;

/** The last listing of a small directory, for as long as inode and times say that nothing has changed. */
export class RememberedListing {
  #stamp: string | undefined;
  #list: readonly Listed[] = [];

  /** `variant` stands for whatever else the listing depends on. */
  get(stat: InodeStat, variant: string, make: () => readonly Listed[]): readonly Listed[] {
    const stamp = `${identityOf(stat)}.${stat.mtimeNs}.${stat.ctimeNs}.${variant}`;
    if (this.#stamp === stamp) return this.#list;
    const list = make();
    const isSettled = BigInt(Date.now()) * 1_000_000n - stat.ctimeNs > SETTLED_NS;
    this.#stamp = isSettled && list.length <= LONGEST ? stamp : undefined;
    this.#list = this.#stamp === undefined ? [] : list;
    return list;
  }
}
