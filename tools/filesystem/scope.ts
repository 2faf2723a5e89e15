import { CortexError } from '@cortexfs/abi/errors';
import { isBeneath, readMountTable } from '@cortexfs/linux/mount-table';
import { fromBytes } from './descriptor.ts';
import { isKernelMount, type Mount, mountOf } from './mounts.ts';

/** Where paths may lead (docs/tools.md, "Paths"). */
export interface Scope {
  /** Absolute; relative paths start here. */
  readonly cwd: string;
  /** The mounts that confine an agent; undefined for a human, who is bound by Linux permissions alone. */
  readonly mounts: readonly Mount[] | undefined;
}

/** The scope of this process: an agent's when the launcher says so, else that of the human who runs it. */
export function currentScope(): Scope {
  const { CTX_AGENT, CTX_CONTROL_SOCKET } = process.env;
  const confined = CTX_AGENT !== undefined || CTX_CONTROL_SOCKET !== undefined;
  return {
    cwd: process.cwd(),
    mounts: confined ? readMountTable('self', 'latin1') : undefined,
  };
}

/**
 * Refuses a resolved path that an agent may not reach: one that a symbolic link led out of the mount it lies on, or
 * one on a kernel file system. `path` and `linkPlaces` (the directories of the links followed) are canonical byte strings.
 */
export function confine(scope: Scope, asked: string, path: string, linkPlaces: readonly string[]): void {
  if (scope.mounts === undefined) return;
  for (const place of linkPlaces) {
    const { point } = mountOf(place, scope.mounts);
    if (isBeneath(path, point)) continue;
    throw new CortexError('EACCES', `a symbolic link leads out of ${fromBytes(point)}`, {
      path: asked,
      layer: 'mount',
      hint: 'name the target itself, if it is visible',
    });
  }
  const mount = mountOf(path, scope.mounts);
  if (isKernelMount(mount)) {
    throw new CortexError('EACCES', `${fromBytes(mount.point)} (${mount.type}) holds no files for tools`, {
      path: asked,
      layer: 'mount',
    });
  }
}
