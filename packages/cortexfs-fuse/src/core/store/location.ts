/**
 * A place in the store: a name below a parent, and which inode is meant. Places form a tree, so that renaming a
 * directory moves everything below it. Whoever opens a place compares the identity and gets ESTALE otherwise.
 */
export class Location {
  parent: Location | undefined;
  name: string;
  readonly identity: string;

  constructor(parent: Location | undefined, name: string, identity: string) {
    this.parent = parent;
    this.name = name;
    this.identity = identity;
  }

  /** Relative to the root of the store, without a leading slash; empty for the root itself. */
  path(): string {
    const names: string[] = [];
    for (let at: Location = this; at.parent; at = at.parent) names.push(at.name);
    return names.reverse().join('/');
  }

  isAt(parent: Location, name: string): boolean {
    return this.parent === parent && this.name === name;
  }
}
