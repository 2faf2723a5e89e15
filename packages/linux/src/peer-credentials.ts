import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { systemCall } from './native.ts';
import { descriptorOf } from './socket-descriptor.ts';

/** Who connected, as the kernel recorded it at connect time. */
export interface PeerCredentials {
  /** 0 when the peer lives in a pid namespace that this process cannot see into. */
  pid: number;
  uid: number;
  gid: number;
}

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const SO_PEERPIDFD = 77;

const getsockopt = systemCall(
  'getsockopt',
  'int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)',
);

/** Credentials of the other end of a connected Unix socket. Throws when the socket is closed or no Unix socket. */
export function peerCredentials(socket: Socket): PeerCredentials {
  const value = socketOption(socket, SO_PEERCRED, 12);
  return { pid: readInt(value, 0), uid: readInt(value, 4) >>> 0, gid: readInt(value, 8) >>> 0 };
}

/**
 * A descriptor that means the peer process itself, however its pid is reused; the caller closes it.
 * ENOPROTOOPT before Linux 6.5, ESRCH or EINVAL when the peer is gone and reaped.
 */
export function peerPidfd(socket: Socket): number {
  return readInt(socketOption(socket, SO_PEERPIDFD, 4), 0);
}

function socketOption(socket: Socket, name: number, size: number): Buffer {
  const value = Buffer.alloc(size);
  getsockopt(descriptorOf(socket), SOL_SOCKET, name, value, [size]);
  return value;
}

function readInt(bytes: Buffer, offset: number): number {
  return endianness() === 'LE' ? bytes.readInt32LE(offset) : bytes.readInt32BE(offset);
}
