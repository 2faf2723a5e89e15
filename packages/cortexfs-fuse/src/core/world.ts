import type { ObjectClass } from '@cortexfs/abi/controls/registry';
import type { ControlReader } from './controls/reader.ts';
import type { Staging } from './controls/staging.ts';
import type { Skeletons } from './creation/skeletons.ts';
import type { Digests } from './installed/digests.ts';
import type { NodeTable } from './node/table.ts';
import type { Runtimes } from './runtime/runtimes.ts';
import type { Places } from './store/places.ts';
import type { Store } from './store/store.ts';

/** What every node can reach: the one mount and what stands behind it. */
export interface World {
  readonly store: Store;
  readonly places: Places;
  readonly nodes: NodeTable;
  readonly controls: ControlReader;
  readonly staging: Staging;
  readonly skeletons: Skeletons;
  readonly runtimes: Runtimes;
  readonly digests: Digests;
  /** By the path of their controls, agents that are being removed: `owner` may be the first control that goes. */
  readonly formerOwners: Map<string, number>;
  /** Absolute path written in the first line of every executable. */
  readonly runner: string;
  /** Tells people about an object, in its `log` and in the mount's own. */
  report(objectClass: ObjectClass, name: string, line: string): void;
  /** Who the mount runs as. */
  readonly self: { readonly uid: number; readonly gid: number };
  /** Whether other users may use the mount, so that places where they may create something must look writable to them. */
  readonly allowOther: boolean;
  /** When the mount began, nanoseconds since the epoch: the time shown for what has none of its own. */
  readonly since: bigint;
}
