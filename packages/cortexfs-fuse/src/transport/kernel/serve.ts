import { readSync, writeSync } from 'node:fs';
import { Poller, setNonBlocking } from '@cortexfs/linux/poll';
import type { Dispatcher } from './dispatcher.ts';
import { MAX_DATA } from './wire/init.ts';

/** Why serving ended: the kernel has no mount any more, or `wake` became readable. */
export type ServeEnd = 'unmounted' | 'stopped';

export interface ServeOptions {
  /** Descriptor of /dev/fuse with a mount behind it. */
  readonly device: number;
  /** Serving stops, after the request at hand, once this descriptor can be read or has ended. */
  readonly wake: number;
  /** Called once, when the kernel has accepted the handshake. */
  readonly onReady: () => void;
  readonly log: (line: string) => void;
}

/** The kernel wants room for the largest write and its headers; less makes every read of the device fail. */
const BUFFER_SIZE = MAX_DATA + 8192;

/** Answers requests one after the other, blocking this thread, until the mount ends. Throws when the handshake fails. */
export function serve(dispatcher: Dispatcher, { device, wake, onReady, log }: ServeOptions): ServeEnd {
  // A request can vanish between poll and read (its caller was killed); the read must not then wait past `wake`.
  setNonBlocking(device);
  const poller = new Poller([device, wake]);
  const buffer = Buffer.alloc(BUFFER_SIZE);
  let ready = false;
  for (;;) {
    poller.wait();
    if (poller.isReady(1)) return 'stopped';
    const length = receive(device, buffer);
    if (length === 'unmounted') return length;
    if (length === 'nothing') continue;
    const reply = dispatcher.answer(buffer.subarray(0, length));
    if (reply && !send(device, reply, log)) dispatcher.replyIsLost();
    if (ready) continue;
    if (dispatcher.refusal !== undefined) throw dispatcher.refusal;
    if (dispatcher.agreed) {
      ready = true;
      onReady();
    }
  }
}

function receive(device: number, buffer: Buffer): number | 'nothing' | 'unmounted' {
  try {
    return readSync(device, buffer, 0, buffer.length, null);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ENOENT: the request was taken back while it was handed over.
    if (code === 'EAGAIN' || code === 'EINTR' || code === 'ENOENT') return 'nothing';
    if (code === 'ENODEV') return 'unmounted';
    throw error;
  }
}

/** False when nobody waits for this reply any more. */
function send(device: number, reply: Buffer, log: (line: string) => void): boolean {
  try {
    writeSync(device, reply);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // ENODEV: unmounted meanwhile, which the next read will say too.
    if (code !== 'ENOENT' && code !== 'ENODEV') log(`a reply was refused by the kernel: ${message}`);
    return false;
  }
}
