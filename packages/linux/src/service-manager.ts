import { closeSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { systemCall } from './native.ts';

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_NOSIGNAL = 0x4000;
/** `sun_path` without the NUL that ends a path. */
const MAX_ADDRESS = 107;

const socket = systemCall('socket', 'int socket(int domain, int type, int protocol)');
const sendto = systemCall(
  'sendto',
  'long sendto(int socket, void *data, size_t length, int flags, void *address, uint32_t size)',
);

/** What a service tells the manager that started it. */
export type ServiceState = 'READY=1' | 'STOPPING=1' | `STATUS=${string}`;

/**
 * Tells the service manager, in systemd's protocol: one datagram to the socket that NOTIFY_SOCKET names, a path or `@` and
 * an abstract name. Nobody is told where nobody asked; false then.
 * @throws CortexError EINVAL for a name that is neither, system errors when nobody listens there.
 */
export function tellServiceManager(
  states: readonly ServiceState[],
  name: string | undefined = process.env['NOTIFY_SOCKET'],
): boolean {
  if (name === undefined || name === '') return false;
  const address = socketAddress(name);
  const data = Buffer.from(states.join('\n'));
  const fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  try {
    sendto(fd, data, data.length, MSG_NOSIGNAL, address, address.length);
    return true;
  } finally {
    closeSync(fd);
  }
}

/** struct sockaddr_un. An abstract name begins with a NUL, and its length is that of the structure. */
function socketAddress(name: string): Buffer {
  const text = Buffer.from(name);
  if (!/^[/@]./.test(name) || text.length > MAX_ADDRESS)
    throw new CortexError(
      'EINVAL',
      `NOTIFY_SOCKET is ${JSON.stringify(name)}, which is no address of a socket`,
      {
        layer: 'runtime',
      },
    );
  if (text[0] === 0x40) text[0] = 0;
  const family = Buffer.alloc(2);
  family.writeUInt16LE(AF_UNIX);
  return text[0] === 0 ? Buffer.concat([family, text]) : Buffer.concat([family, text, Buffer.alloc(1)]);
}
