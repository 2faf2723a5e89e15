import { posix } from 'node:path';
import { refuse } from '../refuse.ts';
import type { World } from '../world.ts';

/** Refuses a socket alias that does not lead below the runtime directory of its owner. */
export function requireRuntimeTarget(world: World, owner: number, path: string, target: string): void {
  const allowed = runtimeDirectories(world, owner);
  if (posix.normalize(target) === target && allowed.some((directory) => target.startsWith(`${directory}/`)))
    return;
  throw refuse('EPERM', path, `a socket alias must lead below ${allowed.join(' or ')}`);
}

function runtimeDirectories({ runtime, self }: World, owner: number): string[] {
  const ownRuntime = `/run/user/${owner}/cortexfs`;
  return owner === self.uid && runtime.root !== ownRuntime ? [runtime.root, ownRuntime] : [ownRuntime];
}
