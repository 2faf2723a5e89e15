import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/** Most logs that a process holds open; far below the usual limit of 1024 descriptors. */
export const MAX_OPEN_LOGS = 128;

interface Held {
  readonly fd: number;
  users: number;
}

/** Open logs, the one used longest ago first. */
const open = new Map<DescriptorLease, Held>();

/**
 * A log's descriptor, opened when it is used: thousands of sessions may be known while few are open. The file is the
 * same one every time, by device and inode, or EIO.
 */
export class DescriptorLease {
  readonly #path: string;
  #identity: { dev: number; ino: number } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The descriptor stays open until `work` has returned, or its promise has settled. */
  use<T>(work: (fd: number) => T): T {
    const held = this.#hold();
    held.users++;
    let result: T;
    try {
      result = work(held.fd);
    } catch (error) {
      held.users--;
      throw error;
    }
    if (!(result instanceof Promise)) held.users--;
    else {
      const settled = () => held.users--;
      result.then(settled, settled);
    }
    return result;
  }

  close(): void {
    const held = open.get(this);
    if (held === undefined) return;
    open.delete(this);
    closeSync(held.fd);
  }

  #hold(): Held {
    const held = open.get(this) ?? { fd: this.#open(), users: 0 };
    // Last in the map's order is the one that was used last.
    open.delete(this);
    open.set(this, held);
    closeUnused(this);
    return held;
  }

  #open(): number {
    let fd: number;
    try {
      fd = openSync(this.#path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
    } catch (error) {
      throw fromNodeError(error, { path: this.#path, layer: 'session' });
    }
    const { dev, ino } = fstatSync(fd);
    this.#identity ??= { dev, ino };
    if (this.#identity.dev === dev && this.#identity.ino === ino) return fd;
    closeSync(fd);
    throw new CortexError('EIO', 'the file was replaced while the host used it', {
      path: this.#path,
      layer: 'session',
    });
  }
}

/** `keep` is about to be used, though nobody counts for it yet. */
function closeUnused(keep: DescriptorLease): void {
  for (const [lease, { users }] of open) {
    if (open.size <= MAX_OPEN_LOGS) return;
    if (users === 0 && lease !== keep) lease.close();
  }
}
