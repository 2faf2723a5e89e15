import type { Socket } from 'node:net';

/** How long a refused peer may take to leave. */
const LEAVE_MS = 1000;
/** Refused peers of one server that are waited for at a time: they cost descriptors. */
const MAX_LEAVING = 32;

/**
 * The refused peers of a server. Closing at once would break what a peer is still writing, and many a client then drops
 * what it could have read: so its bytes are thrown away unseen until it leaves, for a moment.
 */
export class Farewells {
  readonly #leaving = new Set<Socket>();

  /** Sends the last frame to a peer that nobody listens to. */
  say(socket: Socket, frame: Uint8Array): void {
    const timer = setTimeout(() => socket.destroy(), LEAVE_MS);
    this.#leaving.add(socket);
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      this.#leaving.delete(socket);
    });
    if (this.#leaving.size > MAX_LEAVING) socket.end(frame, () => socket.destroy());
    else socket.end(frame).resume();
  }

  /** The server ends: nobody is waited for any more. */
  end(): void {
    for (const socket of this.#leaving) socket.destroy();
  }
}
