import { closeSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { socketPair } from '@cortexfs/linux/descriptor-passing';
import { DeviceWriter } from './device-writer.ts';
import { fromPlainError, type ServiceData, type ServiceMessage } from './message.ts';
import { acquireDevice } from './mount/acquire.ts';
import { prepareTarget } from './mount/target.ts';
import { unmount } from './mount/unmount.ts';

export interface KernelMountOptions {
  /** The directory to mount at; it must exist. */
  readonly root: string;
  /** Shown as source in the mount table; the store's path. */
  readonly source: string;
  /** Module that calls `serveInWorker`. */
  readonly worker: URL;
  /** Handed to the worker's file system builder by structured clone. */
  readonly fileSystem: unknown;
  /** Users other than the mounting one may use the mount. */
  readonly allowOther?: boolean;
  readonly log: (line: string) => void;
}

/** How a mount ended: unmounted by somebody, stopped by `detach`, or failed. */
export interface MountEnd {
  readonly reason: 'unmounted' | 'stopped' | 'failed';
  readonly error?: CortexError;
}

/**
 * A mount that this process serves. This thread must never touch a path below `root` with a blocking call: the kernel
 * would ask the serving thread, which may need this one.
 */
export interface KernelMount {
  /** Canonical path of the mount point. */
  readonly root: string;
  /** Settles when serving has ended; never rejects. The process may exit only afterwards. */
  readonly ended: Promise<MountEnd>;
  /** Unmounts and waits for the end. EBUSY while the mount is in use: it then goes on being served. */
  unmount(): Promise<MountEnd>;
  /** Ends the mount also while it is in use; open files of others then fail with ENOTCONN. */
  detach(): Promise<MountEnd>;
}

/** Mounts and serves from a thread of its own. Resolves when the mount answers (docs/transport.md). */
export async function mountKernel(options: KernelMountOptions): Promise<KernelMount> {
  const root = await prepareTarget(options.root);
  const { source, allowOther = false } = options;
  const device = await acquireDevice({ path: root, source, allowOther });
  const service = new Service(device, options);
  await service.ready.catch(async (error: unknown) => {
    await unmount(root, { lazy: true }).catch((failure: Error) => options.log(failure.message));
    throw error;
  });
  const { ended } = service;
  return {
    root,
    ended,
    async unmount() {
      await unmount(root);
      return ended;
    },
    async detach() {
      await unmount(root, { lazy: true });
      service.stop();
      return ended;
    },
  };
}

/** The serving thread and the descriptors it works with. */
class Service {
  readonly ready: Promise<void>;
  readonly ended: Promise<MountEnd>;
  readonly #wake: number;
  #stopped = false;

  constructor(device: number, { worker: module, fileSystem, log }: KernelMountOptions) {
    const [theirs, ours] = socketPair();
    this.#wake = ours;
    const workerData: ServiceData = { device, wake: theirs, fileSystem };
    const worker = new Worker(module, { workerData });
    const writer = new DeviceWriter(device, log);
    const wake = () => this.stop();
    // A thread that waits in the kernel would keep the process from exiting.
    process.on('exit', wake);

    let end: MountEnd | undefined;
    const { promise, resolve } = withResolvers<MountEnd>();
    this.ready = new Promise((isReady, isNotReady) => {
      worker.on('message', (message: ServiceMessage) => {
        if (message.type === 'ready') isReady();
        else if (message.type === 'log') log(message.line);
        else if (message.type === 'ended') end = { reason: message.reason };
        else if (message.type === 'failed') end = { reason: 'failed', error: fromPlainError(message.error) };
        else writer.write(message);
      });
      worker.on('error', (error) => {
        end = { reason: 'failed', error: fromNodeError(error, { layer: 'mount' }) };
      });
      worker.on('exit', async () => {
        end ??= {
          reason: 'failed',
          error: new CortexError('EIO', 'the serving thread ended', { layer: 'mount' }),
        };
        process.off('exit', wake);
        await writer.idle();
        this.#stopped = true;
        for (const descriptor of [device, theirs, ours]) closeSync(descriptor);
        isNotReady(
          end.error ?? new CortexError('EIO', 'the mount ended before it answered', { layer: 'mount' }),
        );
        resolve(end);
      });
    });
    this.ended = promise;
  }

  /** Lets the serving thread end after the request at hand. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    writeSync(this.#wake, '.');
  }
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
