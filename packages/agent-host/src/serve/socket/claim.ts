import { lstatSync, type Stats, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { checkSocketPath } from '@cortexfs/abi/paths';

/**
 * Makes a server listen on a Unix socket of mode 0600 in a private directory (docs/host.md, "The socket").
 * Only a stale socket of this user is removed, and only after nobody answered on it: anything else that stands at
 * the path is refused with EEXIST, a live server with EBUSY.
 */
export async function listenSafely(server: Server, path: string): Promise<void> {
  checkSocketPath(path);
  await removeStale(path);
  await listen(server, path);
}

async function removeStale(path: string): Promise<void> {
  const found = lstatOf(path);
  if (found === undefined) return;
  if (!found.isSocket() || found.uid !== process.geteuid!()) {
    const what = found.isSocket() ? `a socket of uid ${found.uid}` : 'something that is no socket';
    throw new CortexError('EEXIST', `${what} stands where the agent's socket goes`, {
      path,
      layer: 'socket',
      hint: `look at it and remove it: ls -l ${path}`,
    });
  }
  if (await answers(path)) {
    throw new CortexError('EBUSY', 'another process serves this socket', { path, layer: 'socket' });
  }
  unlinkSync(path);
}

function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fromNodeError(error, { path, layer: 'socket' });
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    // Anything but a refusal may be a live server that is merely busy.
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}

/** Clients that may wait to be accepted; further ones get EAGAIN from the kernel, which has a limit of its own too. */
const BACKLOG = 4096;

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(fromNodeError(error, { path, layer: 'socket' })));
    // The bind happens inside listen(): the socket never exists with wider permissions.
    const umask = process.umask(0o177);
    try {
      server.listen({ path, backlog: BACKLOG }, resolve);
    } finally {
      process.umask(umask);
    }
  });
}
