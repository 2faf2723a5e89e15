import type { Node } from './node/node.ts';
import type { ObjectPlace } from './objects/object.ts';
import type { World } from './world.ts';

/** Through whose eyes the tree is seen: everybody's (the mount itself) or one agent's (a view). */
export interface Scope {
  /** Part of every node's key: the same path in two scopes is two nodes. */
  readonly id: string;
  readonly world: World;
  /** Set in a view: the agent that looks. Nothing of an object can be changed from inside a view. */
  readonly agent?: string;
  /** How long the kernel may remember what does not change by itself, in milliseconds. */
  readonly ttl: number;
  /** What is visible now; good for one lookup or one listing. */
  look(): Sight;
  /** The nodes of `home` and `shared`, which differ most between the mount and a view. */
  home(): Node;
  shared(): Node;
}

export interface Sight {
  /** Whether an object exists for the beholder. */
  sees(object: ObjectPlace): boolean;
  /** Whether a model directory's provider or alias does. */
  seesProvider(path: string): boolean;
  seesAlias(path: string): boolean;
}
