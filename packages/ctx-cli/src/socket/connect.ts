import { once } from 'node:events';
import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { agentControls, agentSocket, checkSocketPath } from '@cortexfs/abi/paths';
import { O_PATH } from '@cortexfs/linux/o-path';
import { AgentConnection } from './connection.ts';

/**
 * Connects to a running agent.
 * @throws CortexError ENOENT for an agent that is not defined, EHOSTDOWN for one that is not running, each with what to type.
 */
export async function connectAgent(root: string, agent: ObjectName): Promise<AgentConnection> {
  const path = agentSocket(agent);
  if (!existsSync(`${root}/${agentControls(agent)}`)) {
    throw new CortexError('ENOENT', 'no such agent', {
      path: `agent/${agent}`,
      layer: 'name',
      hint: 'ctx status lists the agents',
    });
  }
  try {
    return new AgentConnection(await connectSocket(targetOf(`${root}/${path}`)));
  } catch (error) {
    throw notRunning(error, agent, path);
  }
}

/**
 * Connects to the Unix socket at a path, and to nothing that a link there leads to: a terminal's socket lies in a
 * directory that the agent's programs may write, and their link must not send the owner's keys somewhere else. ELOOP
 * for a link, ECONNREFUSED for anything else.
 */
export async function connectSocket(path: string): Promise<Socket> {
  const held = openSync(checkSocketPath(path), O_PATH | constants.O_NOFOLLOW);
  try {
    const found = fstatSync(held);
    if (found.isSymbolicLink())
      throw new CortexError('ELOOP', 'a symbolic link stands where the socket was', {
        path,
        layer: 'socket',
      });
    if (!found.isSocket())
      throw new CortexError('ECONNREFUSED', 'it is no socket', { path, layer: 'socket' });
    return await connected(`/proc/self/fd/${held}`);
  } finally {
    closeSync(held);
  }
}

async function connected(path: string): Promise<Socket> {
  const socket = createConnection(path);
  await once(socket, 'connect');
  // Who reads the socket gets the error from the read; without a reader it must not end the process.
  socket.on('error', () => {});
  return socket;
}

/** The alias is read, not followed by the kernel: the real socket's path is shorter than the one through the mount. */
export function targetOf(alias: string): string {
  try {
    return readlinkSync(alias);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') return alias;
    throw error;
  }
}

function notRunning(error: unknown, agent: ObjectName, path: string): CortexError {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT' && code !== 'ECONNREFUSED' && code !== 'ENOTSOCK')
    return fromNodeError(error, { path, layer: 'socket' });
  const why = code === 'ENOENT' ? 'the agent is not running' : 'the agent does not answer on its socket';
  return new CortexError('EHOSTDOWN', why, { path, layer: 'socket', hint: `ctx agent start ${agent}` });
}
