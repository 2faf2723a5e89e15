import type { Socket } from 'node:net';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { runtimeTree, sessionDir, terminalAlias } from '@cortexfs/abi/paths';
import { findPlace } from '@cortexfs/linux/place';
import { ownerOf } from '../place/agents.ts';
import { connectSocket, targetOf } from '../socket/connect.ts';

/**
 * Connects to the terminal of an agent's session: by its ABI path first, then by the user's runtime path.
 * @throws CortexError ENOENT for an agent that is not defined; EHOSTDOWN, naming both paths, when no terminal answers.
 */
export async function connectTerminal(
  root: string,
  agent: ObjectName,
  session: SessionName,
): Promise<Socket> {
  const owner = ownerOf(root, agent);
  const alias = terminalAlias(sessionDir(owner, agent, session));
  const runtimePath = runtimeTree(findPlace(root).runtime).terminalSocket(agent, session);
  for (const path of [() => targetOf(`${root}/${alias}`), () => runtimePath]) {
    const socket = await attempt(path);
    if (socket) return socket;
  }
  throw new CortexError('EHOSTDOWN', `no terminal answers at ${root}/${alias} or ${runtimePath}`, {
    path: `agent/${agent}`,
    layer: 'terminal',
    hint: `ctx agent start ${agent} --session ${session}`,
  });
}

async function attempt(path: () => string): Promise<Socket | undefined> {
  try {
    return await connectSocket(path());
  } catch (error) {
    // Somebody put it there: that is to be told, not passed over.
    if (error instanceof CortexError && error.code === 'ELOOP') throw error;
    return undefined;
  }
}
