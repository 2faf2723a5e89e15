import type { RequestContext } from '../file-system.ts';
import type { World } from '../world.ts';

/** A subtree of the store with ordinary files: a home, a shared space, the hooks of an object. Links and renames stay inside. */
export interface Zone {
  readonly id: string;
  readonly world: World;
  /** Why nothing can be changed here; undefined where Linux permissions alone decide. */
  readonly readOnly?: string;
  /** In milliseconds; 0 in views, where each lookup is decided anew. */
  readonly entryTtl: number;
  /** Refuses a symbolic link by throwing; `path` is the ABI path it would have. */
  checkSymlink?(context: RequestContext, path: string, target: string): void;
}
