import type { Socket } from 'node:net';
import { fromNodeError } from '@cortexfs/abi/errors';
import { errorFields } from '@cortexfs/abi/frames/error-fields';
import { frame } from '../output/frames.ts';
import { admit } from './admission.ts';
import { Client, type ClientHost } from './client.ts';
import { MAX_CLIENTS, tooManyClients } from './refusal.ts';

/** Everybody who is connected. */
export class Clients {
  readonly #all = new Set<Client>();
  readonly #host: ClientHost;

  constructor(host: ClientHost) {
    this.#host = host;
  }

  /** Takes a new connection to the socket at `path`, or refuses it before anything of it is read. */
  accept(socket: Socket, path: string): void {
    try {
      const peer = admit(socket, path);
      if (this.#all.size >= MAX_CLIENTS) throw tooManyClients();
      this.#all.add(new Client(socket, peer, this.#host));
    } catch (error) {
      socket.on('error', () => {});
      socket.end(frame({ type: 'error', ...errorFields(fromNodeError(error, { layer: 'socket' })) }));
      // What it still sends is discarded, and it cannot keep the connection open.
      socket.resume();
      setTimeout(() => socket.destroy(), 1000).unref();
    }
  }

  delete(client: Client): void {
    this.#all.delete(client);
  }

  [Symbol.iterator](): Iterator<Client> {
    return this.#all[Symbol.iterator]();
  }

  get size(): number {
    return this.#all.size;
  }
}
