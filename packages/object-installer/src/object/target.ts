import type { InstallableClass } from '@cortexfs/abi/manifest';
import type { ObjectName } from '@cortexfs/abi/names';
import type { Tier } from '@cortexfs/abi/receipt/object';

/** Which object of a store a command is about. */
export interface Target {
  class: InstallableClass;
  name: ObjectName;
  tier: Tier;
}

export const controlsName = (name: ObjectName) => `${name}.d`;

/**
 * Where an agent of the user tier would stand, its own home stands (`home/UID/agent/NAME`): there is never one.
 */
export const isNeverInstalled = ({ class: objectClass, tier }: Target) =>
  objectClass === 'agent' && tier === 'user';
