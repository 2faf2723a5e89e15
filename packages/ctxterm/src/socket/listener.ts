import { lstatSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { checkSocketPath } from '@cortexfs/abi/paths/socket-limit';

/** A Unix socket of mode 0600 that can be made anew when its path was removed. */
export class Listener {
  readonly path: string;
  readonly #accept: (socket: Socket) => void;
  #server: Server | undefined;

  constructor(path: string, accept: (socket: Socket) => void) {
    this.path = checkSocketPath(path);
    this.#accept = accept;
  }

  /** EBUSY when somebody serves there, EACCES when the directory or what stands there belongs to somebody else. */
  async open(): Promise<void> {
    checkDirectory(dirname(this.path));
    await clearStale(this.path);
    this.#server = await listen(this.path, this.#accept);
  }

  /** Makes the socket again; who is connected stays connected. */
  async reopen(): Promise<void> {
    this.close();
    await this.open();
  }

  /** Removes the socket; who is connected stays connected. */
  close(): void {
    this.#server?.close();
    this.#server = undefined;
  }
}

/** Nobody else may be able to replace the socket. A sticky directory such as /tmp is refused as well. */
function checkDirectory(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new CortexError('ENOENT', 'no such directory', { path, layer: 'socket' });
  if (!stat.isDirectory()) throw refused(path, 'is not a directory');
  if (stat.uid !== process.geteuid!()) throw refused(path, `belongs to uid ${stat.uid}`);
  if ((stat.mode & 0o022) !== 0) throw refused(path, 'can be written by others', `chmod 700 ${path}`);
}

async function clearStale(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isSocket() || stat.uid !== process.geteuid!()) throw refused(path, 'is no socket of this user');
  if (await answers(path)) {
    throw new CortexError('EBUSY', 'another process serves this socket', { path, layer: 'socket' });
  }
  unlinkSync(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EAGAIN'));
  });
}

function listen(path: string, accept: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(accept);
    server.once('error', (error) => reject(fromNodeError(error, { path, layer: 'socket' })));
    // Bound in this call, so that the socket never exists with wider permissions.
    const umask = process.umask(0o177);
    server.listen(path, () => resolve(server));
    process.umask(umask);
  });
}

function refused(path: string, why: string, hint?: string): CortexError {
  return new CortexError('EACCES', why, { path, layer: 'socket', hint });
}
