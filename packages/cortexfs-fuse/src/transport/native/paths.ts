import { CortexError } from '@cortexfs/abi/errors';
import type { Attr, Entry, FileSystem, NodeId, RequestContext } from '../../core/file-system.ts';
import { ROOT_NODE } from '../../core/file-system.ts';
import type { KeptNodes } from './kept-nodes.ts';

/** Finds the node of a path by looking up name after name, each time anew: nothing is remembered by path. */
export class Paths {
  readonly #fileSystem: FileSystem;
  readonly #context: RequestContext;
  readonly #kept: KeptNodes;

  constructor(fileSystem: FileSystem, context: RequestContext, kept: KeptNodes) {
    this.#fileSystem = fileSystem;
    this.#context = context;
    this.#kept = kept;
  }

  node(path: string): NodeId {
    return this.#walk(namesOf(path)).node;
  }

  attr(path: string): Attr {
    const { node, entry } = this.#walk(namesOf(path));
    return entry?.attr ?? this.#fileSystem.getattr(this.#context, node).attr;
  }

  /** The directory that a path's last name is in. */
  place(path: string): { parent: NodeId; name: string } {
    const names = namesOf(path);
    const name = names.pop();
    if (name === undefined) throw new CortexError('EBUSY', 'that is the root', { path: '/', layer: 'mount' });
    return { parent: this.#walk(names).node, name };
  }

  #walk(names: readonly string[]): { node: NodeId; entry: Entry | undefined } {
    let node = ROOT_NODE;
    let entry: Entry | undefined;
    for (const name of names) {
      entry = this.#fileSystem.lookup(this.#context, node, name);
      node = this.#kept.keep(entry);
    }
    return { node, entry };
  }
}

/**
 * libfuse's paths begin with a slash; the root is `/`. Bytes that are no UTF-8 arrive as U+FFFD: such a name cannot be told
 * from one that really has that character, and both are refused.
 */
function namesOf(path: string): string[] {
  if (path.includes('\uFFFD')) throw new CortexError('EILSEQ', 'the name is not UTF-8', { layer: 'name' });
  return path.split('/').filter((name) => name !== '');
}
