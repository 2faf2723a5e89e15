import { constants } from 'node:fs';
import { codeOf, systemCall } from './native.ts';

const POLLIN = 1;
const POLLHUP = 0x10;
const F_GETFL = 3;
const F_SETFL = 4;

const poll = systemCall('poll', 'int poll(void *descriptors, unsigned long count, int timeout)');
const fcntl = systemCall('fcntl', 'int fcntl(int fd, int command, ...)');

/** Waits, blocking the calling thread, until one of some descriptors can be read, has ended or failed. */
export class Poller {
  readonly #entries: Int16Array;
  readonly #count: number;

  constructor(descriptors: readonly number[]) {
    // struct pollfd: the descriptor (32 bit), the events asked for, the events seen.
    this.#entries = new Int16Array(descriptors.length * 4);
    this.#count = descriptors.length;
    const numbers = new Int32Array(this.#entries.buffer);
    descriptors.forEach((descriptor, index) => {
      numbers[index * 2] = descriptor;
      this.#entries[index * 4 + 2] = POLLIN;
    });
  }

  /** False when `timeoutMs` passed first; below 0 there is no limit. Then `isReady` tells which. */
  wait(timeoutMs = -1): boolean {
    for (;;) {
      try {
        return poll(this.#entries, this.#count, timeoutMs) > 0;
      } catch (error) {
        if (codeOf(error) !== 'EINTR') throw error;
      }
    }
  }

  /** Whether the last `wait` ended for the descriptor at this index. */
  isReady(index: number): boolean {
    return this.#entries[index * 4 + 3] !== 0;
  }
}

/** Whether the other side of a socket is gone altogether, not only done with sending. Never waits. */
export function hasHungUp(descriptor: number): boolean {
  const entry = new Int16Array(4);
  new Int32Array(entry.buffer)[0] = descriptor;
  return poll(entry, 1, 0) > 0 && (entry[3]! & POLLHUP) !== 0;
}

/** Makes reads of a descriptor fail with EAGAIN where they would wait. */
export function setNonBlocking(descriptor: number): void {
  const flags = fcntl(descriptor, F_GETFL, 'int', 0);
  fcntl(descriptor, F_SETFL, 'int', flags | constants.O_NONBLOCK);
}
