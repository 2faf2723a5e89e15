import { chmodSync, lchownSync } from 'node:fs';
import type { RequestContext } from '../file-system.ts';
import type { World } from '../world.ts';

/** The mode to create something with, so that nobody else can reach it before it has its owner. */
export function creationMode(world: World, context: RequestContext, mode: number): number {
  return needsGiving(world, context) ? 0 : mode & 0o7777;
}

/**
 * Gives what the mount has just created to who asked for it. In a set-group-id directory the kernel has chosen the
 * group already. An unprivileged mount serves its own user, to whom everything belongs as it is.
 */
export function giveTo(
  world: World,
  context: RequestContext,
  path: string,
  made: { mode: number; parentMode: number; type: 'file' | 'directory' | 'symlink' },
): void {
  if (!needsGiving(world, context)) return;
  const inherited = made.parentMode & SET_GROUP_ID;
  lchownSync(path, context.uid, inherited ? -1 : context.gid);
  if (made.type === 'file') chmodSync(path, made.mode & 0o7777);
  if (made.type === 'directory') chmodSync(path, (made.mode & 0o7777) | inherited);
}

const SET_GROUP_ID = 0o2000;

function needsGiving({ self }: World, { uid, gid }: RequestContext): boolean {
  return self.uid === 0 && (uid !== self.uid || gid !== self.gid);
}
