import { type NodeId, ROOT_NODE } from '../file-system.ts';
import { refuse } from '../refuse.ts';
import type { Node } from './node.ts';

/** The nodes that the kernel knows, by number and by key. What it forgets is gone from here. */
export class NodeTable {
  readonly #byId = new Map<NodeId, Node>();
  readonly #byKey = new Map<string, Node>();
  #next: NodeId = ROOT_NODE + 1;

  /** The root is known from the start and never forgotten. */
  setRoot(root: Node): void {
    root.id = ROOT_NODE;
    root.lookups = Number.POSITIVE_INFINITY;
    this.#byId.set(ROOT_NODE, root);
    this.#byKey.set(root.key, root);
  }

  get(id: NodeId): Node {
    const node = this.#byId.get(id);
    if (node === undefined) throw refuse('ESTALE', `node ${id}`, 'unknown to the mount');
    return node;
  }

  find(key: string): Node | undefined {
    return this.#byKey.get(key);
  }

  /** The known node of that key if it is of that class, else a new one. */
  intern<T extends Node>(key: string, type: abstract new (...args: never[]) => T, make: () => T): T {
    const known = this.#byKey.get(key);
    return known instanceof type ? known : make();
  }

  /** Counts one reference by the kernel. */
  remember(node: Node): Node {
    if (node.id === 0) {
      node.id = this.#next++;
      this.#byId.set(node.id, node);
    }
    this.#byKey.set(node.key, node);
    node.lookups++;
    return node;
  }

  /** The node now stands for something else, such as the next version of a file. */
  rekey(node: Node, key: string): void {
    if (this.#byKey.get(node.key) === node) this.#byKey.delete(node.key);
    node.key = key;
    if (node.id !== 0) this.#byKey.set(key, node);
  }

  forget(id: NodeId, count: number): void {
    const node = this.#byId.get(id);
    if (node === undefined) return;
    node.lookups -= count;
    if (node.lookups > 0) return;
    this.#byId.delete(id);
    if (this.#byKey.get(node.key) === node) this.#byKey.delete(node.key);
    node.id = 0;
    node.lookups = 0;
    node.forgotten();
  }

  get size(): number {
    return this.#byId.size;
  }
}
