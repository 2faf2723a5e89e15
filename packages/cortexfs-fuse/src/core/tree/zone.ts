import type { RequestContext } from '../file-system.ts';
import type { Scope } from '../scope.ts';
import type { World } from '../world.ts';

/** A subtree of the store with ordinary files: a home, a shared space, the hooks of an object. Links and renames stay inside. */
export interface Zone extends ZoneRules {
  /** Names the zone within all scopes. */
  readonly id: string;
  readonly scope: Scope;
  readonly world: World;
}

interface ZoneRules {
  /** Why nothing can be changed here; undefined where Linux permissions alone decide. */
  readonly readOnly?: string | undefined;
  /**
   * Whose everything in it is, whoever made it: shown as owner, and beside root the only one to change it. In the store of a
   * system deployment it stays root's, or an earlier owner could go on writing there.
   */
  readonly owner?: (() => number | undefined) | undefined;
  /** Refuses a symbolic link by throwing; `path` is the ABI path it would have. */
  readonly checkSymlink?: (context: RequestContext, path: string, target: string) => void;
}

export function zoneOf(scope: Scope, id: string, rules: ZoneRules = {}): Zone {
  return { ...rules, id: `${scope.id}|${id}`, scope, world: scope.world };
}

/** A part of a zone with other rules or without links to the rest. */
export function subzone(zone: Zone, id: string, rules: ZoneRules = {}): Zone {
  return { ...zone, ...rules, id: `${zone.id}/${id}` };
}
