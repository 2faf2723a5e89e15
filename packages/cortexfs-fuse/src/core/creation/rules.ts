import { owner as ownerCodec } from '@cortexfs/abi/controls/owner';
import type { Parent } from '@cortexfs/abi/controls/parent';
import { CortexError } from '@cortexfs/abi/errors';
import { refuse } from '../refuse.ts';
import type { World } from '../world.ts';
import type { Skeleton } from './skeleton.ts';

/** Every lineage begins at this agent, so everybody may descend from it. */
const BEGINNING = 'architect';

/** Refuses a value by which a maker other than uid 0 would give an agent an identity or a lineage that is not theirs to give. */
export function requireOwnToGive(world: World, skeleton: Skeleton, control: string, value: unknown): void {
  const { uid, gid, groups } = skeleton.maker;
  if (uid === 0) return;
  const path = `${skeleton.path}/${control}`;
  const ids = new Set([gid, ...groups]);
  const fine = {
    owner: () => value === uid,
    uid: () => value === uid,
    gid: () => ids.has(value as number),
    groups: () => (value as readonly number[]).every((id) => ids.has(id)),
    iso: () => value === 'shared',
    parent: () => isOwnParent(world, uid, value as Parent),
  }[control];
  if (fine === undefined || fine()) return;
  throw refuse('EPERM', path, `uid ${uid} may not give an agent this ${control}`, {
    layer: 'credentials',
    hint: HINTS[control],
  });
}

const HINTS: Readonly<Record<string, string>> = {
  owner: 'who makes an agent owns it',
  gid: 'your own groups are possible',
  groups: 'your own groups are possible',
  iso: 'shared',
  parent: `agent:${BEGINNING}, or an agent of your own`,
};

/** ENOENT unless the parent is there. */
export function requireParent(world: World, skeleton: Skeleton): void {
  const parent = skeleton.value('parent') as Parent;
  if (parent.kind === 'root' || world.places.directory(`agent/${parent.agent}.d`) !== undefined) return;
  throw refuse('EINVAL', `${skeleton.path}/parent`, `there is no agent ${parent.agent}`, {
    hint: 'ctx ls agent',
  });
}

function isOwnParent(world: World, uid: number, parent: Parent): boolean {
  if (parent.kind === 'root') return false;
  if (parent.agent === BEGINNING) return true;
  const owner = world.controls.load(`agent/${parent.agent}.d`, 'owner', ownerCodec);
  return !(owner instanceof CortexError) && owner === uid;
}
