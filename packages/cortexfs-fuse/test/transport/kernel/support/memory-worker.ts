import type { Entry, NodeId, RequestContext } from '../../../../src/core/file-system.ts';
import { type KernelCache, serveInWorker } from '../../../../src/transport/kernel/service.ts';
import { MemoryFileSystem, type MemoryOptions } from './memory-file-system.ts';

/**
 * A symlink named `replace` replaces the content of the file it points to behind the kernel's back and tells the kernel;
 * one named `crash` ends the thread.
 */
class NotifyingFileSystem extends MemoryFileSystem {
  readonly #cache: KernelCache;

  constructor(options: MemoryOptions, cache: KernelCache) {
    super(options);
    this.#cache = cache;
  }

  override symlink(context: RequestContext, parent: NodeId, name: string, target: string): Entry {
    if (name === 'crash') process.exit(3);
    if (name === 'replace') {
      const { node } = this.lookup(context, 1, target);
      this.nodes.get(node)!.data = Buffer.from('replaced, and longer than before\n');
      this.#cache.invalidateNode(node);
      this.#cache.invalidateEntry(1, target);
    }
    return super.symlink(context, parent, name, target);
  }
}

await serveInWorker((data, cache) => {
  const options = data as MemoryOptions & { broken?: boolean };
  if (options.broken) throw new Error('the store is broken');
  return new NotifyingFileSystem(options, cache);
});
