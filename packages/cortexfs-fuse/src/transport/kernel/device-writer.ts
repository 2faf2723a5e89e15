import { fdatasync, fsync, write } from 'node:fs';
import { promisify } from 'node:util';
import { errnoNumber, errnoOf } from '../errno.ts';
import type { ServiceMessage } from './message.ts';
import type { DeferredSync } from './session.ts';
import { formatInvalidateEntry, formatInvalidateNode } from './wire/notify.ts';
import { Reply } from './wire/reply.ts';

/** What the serving thread leaves to others, so that no other request waits for it. */
type DeferredMessage = Extract<ServiceMessage, { type: 'sync' | 'invalidate-node' | 'invalidate-entry' }>;

const writeBytes = promisify(write);
const syncAll = promisify(fsync);
const syncData = promisify(fdatasync);

/** Does slow work in Node's thread pool and writes its outcome to the device from there. */
export class DeviceWriter {
  readonly #device: number;
  readonly #log: (line: string) => void;
  readonly #pending = new Set<Promise<void>>();
  #noNotices = false;

  constructor(device: number, log: (line: string) => void) {
    this.#device = device;
    this.#log = log;
  }

  /** From now on only replies are written. */
  refuseNotices(): void {
    this.#noNotices = true;
  }

  write(message: DeferredMessage): void {
    if (this.#noNotices && message.type !== 'sync') return;
    const work = this.#perform(message)
      .catch((error: NodeJS.ErrnoException) => this.#explain(error))
      .finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  /** Settles when nothing is under way: only then may the device be closed. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async #perform(message: DeferredMessage): Promise<void> {
    const bytes =
      message.type === 'sync'
        ? await this.#sync(message.work)
        : message.type === 'invalidate-node'
          ? formatInvalidateNode(message.node)
          : formatInvalidateEntry(message.parent, message.name);
    await writeBytes(this.#device, bytes);
  }

  async #sync({ unique, fd, dataOnly }: DeferredSync): Promise<Buffer> {
    const reply = new Reply(0);
    reply.start(Number(unique & 0xffffffffn), Number(unique >> 32n));
    try {
      await (dataOnly ? syncData(fd) : syncAll(fd));
      return reply.finish(0);
    } catch (error) {
      return reply.finish(errnoNumber(errnoOf(error, 'FSYNC', this.#log)));
    }
  }

  #explain(error: NodeJS.ErrnoException): void {
    // ENOENT: the kernel knows no such node, or the caller was killed. ENODEV: unmounted meanwhile.
    if (error.code === 'ENOENT' || error.code === 'ENODEV' || error.code === 'ENOTDIR') return;
    this.#log(`a message was refused by the kernel: ${error.message}`);
  }
}
