import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import type { AgentDefinition, AgentStatus } from '../definition/definition.ts';

/** Where one installation's mount, store and runtime tree are: absolute host paths. */
export interface Site {
  /** Root of the mount, through which the agent's view is bound and aliases are read back. */
  root: string;
  store: string;
  runtime: string;
}

/** One running process role of an agent: its socket host, or the terminal of one session (docs/instances.md). */
export interface InstanceIdentity {
  site: Site;
  definition: AgentDefinition;
  role: { kind: 'socket' } | { kind: 'terminal'; session: SessionName };
  /** The session the agent was started with. */
  session: SessionName;
  workspace: string;
}

/**
 * What a role process holds while it lives. `publish` comes once its socket listens: receipt, alias, alias read back
 * through the mount, then `ready`. `withdraw` takes them away again and leaves a cleanup receipt.
 */
export interface InstanceHold {
  publish(): Promise<void>;
  withdraw(reason: string): Promise<void>;
}

/** `agent-host serve`: what `src/serve/serve.ts` is given by `src/main.ts`. */
export interface ServeOptions {
  site: Site;
  name: ObjectName;
  session: SessionName;
  workspace: string;
}

/** `serveAgent` of `src/serve/serve.ts`: runs until it is told to stop; the answer is the exit code. */
export type ServeAgent = (options: ServeOptions) => Promise<number>;

/** `loadDefinition` of `src/definition/load.ts`. `at` is the store or the mount's root. */

/** `holdInstance` of `./hold.ts`: takes the role's lock for the life of the process; EBUSY when it is held already. */
export type HoldInstance = (identity: InstanceIdentity) => Promise<InstanceHold>;

/** `writeStatus` of `./status-file.ts`. */
export type WriteStatus = (runtime: string, agent: ObjectName, status: AgentStatus) => Promise<void>;
