import type { Entry, FileSystem, NodeId } from '../../core/file-system.ts';
import { ROOT_NODE } from '../../core/file-system.ts';

/** How many nodes stay known although nobody has them open, as the kernel's own cache of names would. */
const MOST_UNUSED = 4096;

/**
 * The lookup counts that this transport holds on behalf of the kernel, of which libfuse tells nothing: one a node, given
 * back when the node has not been met for long and no open file needs it.
 */
export class KeptNodes {
  readonly #fileSystem: FileSystem;
  readonly #most: number;
  /** How many open files need each, the longest unmet first. */
  readonly #uses = new Map<NodeId, number>();

  constructor(fileSystem: FileSystem, most = MOST_UNUSED) {
    this.#fileSystem = fileSystem;
    this.#most = most;
  }

  /** Takes over the count that came with an entry. The node is good until the next `trim`. */
  keep({ node }: Entry): NodeId {
    if (node === ROOT_NODE) return node;
    const uses = this.#uses.get(node);
    if (uses !== undefined) {
      this.#fileSystem.forget(node, 1);
      this.#uses.delete(node);
    }
    this.#uses.set(node, uses ?? 0);
    return node;
  }

  pin(node: NodeId): void {
    this.#uses.set(node, (this.#uses.get(node) ?? 0) + 1);
  }

  unpin(node: NodeId): void {
    this.#uses.set(node, (this.#uses.get(node) ?? 1) - 1);
  }

  /** After a request: gives back what is too much. */
  trim(): void {
    if (this.#uses.size <= this.#most) return;
    for (const [node, uses] of this.#uses) {
      if (uses > 0) continue;
      this.#uses.delete(node);
      if (node !== ROOT_NODE) this.#fileSystem.forget(node, 1);
      if (this.#uses.size <= this.#most) return;
    }
  }
}
