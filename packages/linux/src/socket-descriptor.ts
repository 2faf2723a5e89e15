import type { Server, Socket } from 'node:net';
import { CortexError } from '@cortexfs/abi/errors';

/** The file descriptor behind a socket. Node has no public way to it: this is the only place that knows the private one. */
export function descriptorOf(socket: Socket | Server): number {
  const { _handle: handle } = socket as { _handle?: { fd?: unknown } | null };
  if (typeof handle?.fd === 'number' && handle.fd >= 0) return handle.fd;
  throw new CortexError('ENOTCONN', 'the socket is closed', { layer: 'socket' });
}
