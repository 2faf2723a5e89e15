import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import type { AgentDefinition } from '../definition/definition.ts';
import type { LaunchChoice } from './choice.ts';

/** Where one installation's mount, store and runtime tree are: absolute host paths. */
export interface Site {
  /** Root of the mount, through which the agent's view is bound and aliases are read back. */
  root: string;
  store: string;
  /** Of the user who runs the agent. */
  runtime: string;
  /** In the system deployment the runtime directory of the mount, whose store is root's to write. */
  system?: string | undefined;
}

export type Role = 'socket' | 'terminal';

/** One running process role of an agent: its socket host, or the terminal of one session (docs/instances.md). */
export interface InstanceIdentity extends LaunchChoice {
  site: Site;
  definition: AgentDefinition;
  role: Role;
  session: SessionName;
  /** The caller's directory behind /workspace; null for none. */
  workspace: string | null;
  /** The systemd unit that this process is the main process of. */
  unit?: string | undefined;
}

/** What `serveAgent` of `src/serve/serve.ts` is given by `src/main.ts`. */
export interface ServeOptions extends LaunchChoice {
  site: Site;
  name: ObjectName;
  session: SessionName;
  workspace: string | null;
  unit?: string | undefined;
}

/** Runs until it is told to stop; the answer is the exit code. */
export type ServeAgent = (options: ServeOptions) => Promise<number>;
