import { koffi, systemCall } from './native.ts';

/** Passing open descriptors between processes over a Unix socket (SCM_RIGHTS), in the layouts of 64-bit Linux. */
const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SCM_RIGHTS = 1;
const MSG_DONTWAIT = 0x40;
const MSG_CMSG_CLOEXEC = 0x40000000;
/** A cmsghdr (length, level, type) and one descriptor. */
const CONTROL_LENGTH = 20n;

const socketpair = systemCall(
  'socketpair',
  'int socketpair(int domain, int type, int protocol, _Out_ int *pair)',
);
const recvmsg = systemCall('recvmsg', 'long recvmsg(int socket, void *message, int flags)');
const sendmsg = systemCall('sendmsg', 'long sendmsg(int socket, void *message, int flags)');

/** Two connected Unix sockets as plain descriptors; the caller closes both. */
export function socketPair(): [number, number] {
  const pair = [-1, -1];
  socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
  return [pair[0]!, pair[1]!];
}

/** One descriptor that the other end has already sent, close-on-exec. EAGAIN when none waits, EPROTO when the message held none. */
export function receiveDescriptor(socket: number): number {
  const message = new Message();
  recvmsg(socket, message.bytes, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  const descriptor = message.descriptor;
  if (descriptor !== undefined) return descriptor;
  throw Object.assign(new Error('EPROTO: the message carried no descriptor'), { code: 'EPROTO' });
}

/** Sends a copy of a descriptor with one byte of data. EAGAIN when the socket's buffer is full. */
export function sendDescriptor(socket: number, descriptor: number): void {
  const message = new Message();
  message.descriptor = descriptor;
  sendmsg(socket, message.bytes, MSG_DONTWAIT);
}

const VECTOR = 56;
const CONTROL = 72;
const DATA = 96;

/**
 * struct msghdr, and behind it in the same memory (so that none of it can be freed during the call) its iovec, its
 * cmsghdr with room for one descriptor, and its one byte of data.
 */
class Message {
  readonly bytes = new Uint8Array(104);
  readonly #long = new BigUint64Array(this.bytes.buffer);
  readonly #int = new Int32Array(this.bytes.buffer);

  constructor() {
    const address = koffi().address(this.bytes);
    const header = [
      0n,
      0n,
      address + BigInt(VECTOR),
      1n,
      address + BigInt(CONTROL),
      BigInt(DATA - CONTROL),
      0n,
    ];
    this.#long.set([...header, address + BigInt(DATA), 1n]);
  }

  set descriptor(descriptor: number) {
    this.#long[CONTROL / 8] = CONTROL_LENGTH;
    this.#int.set([SOL_SOCKET, SCM_RIGHTS, descriptor], CONTROL / 4 + 2);
  }

  get descriptor(): number | undefined {
    const [level, type, descriptor] = this.#int.subarray(CONTROL / 4 + 2);
    const length = this.#long[CONTROL / 8]!;
    return level === SOL_SOCKET && type === SCM_RIGHTS && length >= CONTROL_LENGTH ? descriptor : undefined;
  }
}
