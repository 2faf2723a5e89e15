import type { Zone } from './zone.ts';

/** One node an inode and zone, however many names it has. */
export const treeKey = (zone: Zone, identity: string) => `${zone.id}|${identity}`;
