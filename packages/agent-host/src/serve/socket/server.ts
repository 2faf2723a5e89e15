import { createServer, type Server, type Socket } from 'node:net';
import { encodeFrame } from '@cortexfs/abi/jsonl';
import type { PeerCredentials } from '@cortexfs/linux/peer-credentials';
import { listenSafely } from './claim.ts';
import { type RequestHandler, serveConnection } from './connection.ts';
import { Farewells } from './farewell.ts';

export interface SocketServerOptions {
  /** Absolute path of the socket. */
  readonly path: string;
  /** Uids that may ask; everybody else gets EACCES. */
  readonly allowedUids: readonly number[];
  readonly credentialsOf: (socket: Socket) => PeerCredentials;
  readonly handle: RequestHandler;
  /** Told about every refused peer. */
  readonly refused: (peer: PeerCredentials) => void;
}

/** An agent's socket while it listens. */
export interface SocketServer {
  /** Ends all connections and removes the socket. */
  close(): Promise<void>;
}

/** Listens on an agent's socket (docs/host.md). Who connects is asked of the kernel before any byte is read. */
export async function serveSocket(options: SocketServerOptions): Promise<SocketServer> {
  const connections = new Set<Socket>();
  const farewells = new Farewells();
  // Half-open: a client may close its sending side and wait for the rest.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    if (!admit(socket, options, farewells)) return;
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    serveConnection(socket, options.handle);
    socket.resume();
  });
  await listenSafely(server, options.path);
  return { close: () => close(server, connections, farewells) };
}

function admit(
  socket: Socket,
  { allowedUids, credentialsOf, refused }: SocketServerOptions,
  farewells: Farewells,
): boolean {
  const peer = credentialsOrNobody(socket, credentialsOf);
  if (allowedUids.includes(peer.uid)) return true;
  refused(peer);
  const message = `uid ${peer.uid} may not use this agent's socket`;
  farewells.say(socket, encodeFrame({ type: 'error', code: 'EACCES', message, layer: 'credentials' }));
  return false;
}

/** A peer that is already gone has no credentials, and nothing to say. */
function credentialsOrNobody(
  socket: Socket,
  credentialsOf: SocketServerOptions['credentialsOf'],
): PeerCredentials {
  try {
    return credentialsOf(socket);
  } catch {
    return { pid: 0, uid: -1, gid: -1 };
  }
}

function close(server: Server, connections: ReadonlySet<Socket>, farewells: Farewells): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    farewells.end();
    for (const socket of connections) socket.destroySoon();
  });
}
