import type { ObjectName } from '@cortexfs/abi/names';
import { agentSocket, runtimeTree, sessionDir, terminalAlias } from '@cortexfs/abi/paths';
import type { AgentDefinition } from '../definition/definition.ts';
import type { InstanceIdentity } from './instance.ts';

/** As much of a definition as paths depend on. */
export type Definition = Pick<AgentDefinition, 'owner' | 'name'>;

/** The paths of one instance. */
export interface InstanceFiles {
  /** Held for as long as the instance lives. */
  lock: string;
  receipt: string;
  /** The real socket, in the runtime tree. */
  socket: string;
  /** The symbolic link to it, relative to the root. */
  alias: string;
}

export function filesOf({
  site,
  definition: { owner, name },
  role,
  session,
}: Pick<InstanceIdentity, 'site' | 'role' | 'session'> & { definition: Definition }): InstanceFiles {
  const tree = runtimeTree(site.runtime);
  if (role === 'socket') {
    return {
      lock: `${tree.launchDir(name)}/socket.lock`,
      receipt: tree.socketReceipt(name),
      socket: tree.agentSocket(name),
      alias: agentSocket(name),
    };
  }
  return {
    lock: `${tree.launchDir(name)}/terminal-${session}.lock`,
    receipt: tree.terminalReceipt(name, session),
    socket: tree.terminalSocket(name, session),
    alias: terminalAlias(sessionDir(owner, name, session)),
  };
}

/** Held by whoever starts or stops an agent, for as long as that takes. */
export function agentLock(runtime: string, name: ObjectName): string {
  return `${runtimeTree(runtime).launchDir(name)}/lock`;
}
