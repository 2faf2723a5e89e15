import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCall } from '../../src/native.ts';

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MSG_DONTWAIT = 0x40;

const socket = systemCall('socket', 'int socket(int domain, int type, int protocol)');
const bind = systemCall('bind', 'int bind(int socket, void *address, uint32_t size)');
const recv = systemCall('recv', 'long recv(int socket, void *data, size_t size, int flags)');

/** A service manager's side of NOTIFY_SOCKET: `@name` or a path. */
export class DatagramListener {
  readonly #fd: number;

  constructor(name: string) {
    this.#fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    const text = Buffer.from(name.startsWith('@') ? `\0${name.slice(1)}` : `${name}\0`);
    const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), text]);
    bind(this.#fd, address, address.length);
  }

  /** The next ones, waited for. */
  async messages(count: number, patience = 60_000): Promise<string[]> {
    const found: string[] = [];
    const buffer = Buffer.alloc(4096);
    for (const deadline = Date.now() + patience; found.length < count; ) {
      try {
        const size = recv(this.#fd, buffer, buffer.length, MSG_DONTWAIT);
        found.push(buffer.toString('utf8', 0, size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() > deadline) throw error;
        await sleep(10);
      }
    }
    return found;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
