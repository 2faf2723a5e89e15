import { closeSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { socketPair } from '@cortexfs/linux/descriptor-passing';
import type { MountEnd } from '../mount.ts';
import { DeviceWriter } from './device-writer.ts';
import { fromPlainError, type ServiceData, type ServiceMessage } from './message.ts';

export interface ServingThreadOptions {
  /** Module that calls `serveInWorker`. */
  readonly worker: URL;
  /** Handed to the worker's file system builder by structured clone. */
  readonly fileSystem: unknown;
  readonly log: (line: string) => void;
}

/** The thread that answers the kernel, seen from the main thread, and the descriptors it works with. */
export class ServingThread {
  /** The kernel has accepted the handshake. Stays pending when it never does; `ended` tells then. */
  readonly ready: Promise<void>;
  /** The thread is gone and the device closed. Never rejects. */
  readonly ended: Promise<MountEnd>;
  readonly #log: (line: string) => void;
  readonly #writer: DeviceWriter;
  readonly #wake: number;
  #end: MountEnd | undefined;
  #wakeable = true;

  constructor(device: number, { worker: module, fileSystem, log }: ServingThreadOptions) {
    const [theirs, ours] = socketPair();
    const workerData: ServiceData = { device, wake: theirs, fileSystem };
    const worker = new Worker(module, { workerData });
    this.#log = log;
    this.#wake = ours;
    this.#writer = new DeviceWriter(device, log);
    // A thread that waits in the kernel would keep the process from exiting.
    const wake = () => this.#wakeUp();
    process.on('exit', wake);

    worker.on('error', (error) => this.#failed(fromNodeError(error, { layer: 'mount' })));
    this.ready = new Promise((isReady) => {
      worker.on('message', (message: ServiceMessage) => this.#hear(message, isReady));
    });
    this.ended = new Promise((hasEnded) => {
      worker.on('exit', async () => {
        process.off('exit', wake);
        await this.#writer.idle();
        this.#wakeable = false;
        for (const descriptor of [device, theirs, ours]) closeSync(descriptor);
        this.#failed(new CortexError('EIO', 'the serving thread ended', { layer: 'mount' }));
        hasEnded(this.#end!);
      });
    });
  }

  /** Lets the thread end after the request at hand. */
  async stop(): Promise<void> {
    // What is under way to the kernel may need an answer of the thread first.
    this.#writer.refuseNotices();
    await this.#writer.idle();
    this.#wakeUp();
  }

  #wakeUp(): void {
    if (this.#wakeable) writeSync(this.#wake, '.');
    this.#wakeable = false;
  }

  #hear(message: ServiceMessage, isReady: () => void): void {
    if (message.type === 'ready') isReady();
    else if (message.type === 'log') this.#log(message.line);
    else if (message.type === 'ended') this.#end = { reason: message.reason };
    else if (message.type === 'failed') this.#failed(fromPlainError(message.error));
    else this.#writer.write(message);
  }

  /** The first reason is the one that counts. */
  #failed(error: CortexError): void {
    this.#end ??= { reason: 'failed', error };
  }
}
