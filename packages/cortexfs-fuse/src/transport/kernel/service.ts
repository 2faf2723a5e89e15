import { parentPort, workerData } from 'node:worker_threads';
import type { FileSystem, NodeId } from '../../core/file-system.ts';
import { Dispatcher } from './dispatcher.ts';
import { type ServiceData, type ServiceMessage, toPlainError } from './message.ts';
import { serve } from './serve.ts';

/** What a file system may tell the kernel on its own. The call returns at once; the main thread passes it on. */
export interface KernelCache {
  /** Forget the attributes and the content of a node. */
  invalidateNode(node: NodeId): void;
  /** Forget what a name in a directory resolved to. */
  invalidateEntry(parent: NodeId, name: string): void;
}

export type BuildFileSystem = (
  data: unknown,
  cache: KernelCache,
  log: (line: string) => void,
) => FileSystem | Promise<FileSystem>;

/**
 * The whole life of the serving thread: builds the file system from what `mountKernel` was given as `fileSystem`,
 * answers the kernel until the mount ends, then destroys the file system. Only to be called in a worker that
 * `mountKernel` started.
 */
export async function serveInWorker(build: BuildFileSystem): Promise<void> {
  const { device, wake, fileSystem: data } = workerData as ServiceData;
  const tell = (message: ServiceMessage) => parentPort!.postMessage(message);
  const log = (line: string) => tell({ type: 'log', line });
  let fileSystem: FileSystem | undefined;
  try {
    fileSystem = await build(data, cacheThrough(tell), log);
    const dispatcher = new Dispatcher(fileSystem, { log, defer: (work) => tell({ type: 'sync', work }) });
    const reason = serve(dispatcher, { device, wake, log, onReady: () => tell({ type: 'ready' }) });
    fileSystem.destroy();
    tell({ type: 'ended', reason });
  } catch (error) {
    fileSystem?.destroy();
    tell({ type: 'failed', error: toPlainError(error) });
  }
}

// Not written from here: the kernel may hold a lock that a request waiting for this very thread has taken.
function cacheThrough(tell: (message: ServiceMessage) => void): KernelCache {
  return {
    invalidateNode: (node) => tell({ type: 'invalidate-node', node }),
    invalidateEntry: (parent, name) => tell({ type: 'invalidate-entry', parent, name }),
  };
}
