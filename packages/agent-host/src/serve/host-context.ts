import type { ObjectName, RunId, SessionName } from '@cortexfs/abi/names';
import type { AgentDefinition } from '../definition/definition.ts';
import { loadDefinition } from '../definition/load.ts';
import type { Site } from '../launch/instance.ts';
import type { Ahead } from '../sandbox/ahead.ts';
import type { LaunchSandboxed, SandboxSpec } from '../sandbox/spec.ts';
import type { HookSet } from './hooks/hook-set.ts';
import type { ApprovalDesk } from './run/approval.ts';

/** What all runs of one agent host have in common. */
export interface HostContext {
  readonly site: Site;
  readonly agent: ObjectName;
  /** Host directory that is /workspace in the sandbox; null for none. */
  readonly workspace: string | null;
  /** Where runs begin instead of where the control says. */
  readonly cwd?: string | undefined;
  readonly mounts?: SandboxSpec['mounts'];
  /** Where the owner's own configuration is: global AGENTS.md, providers. */
  readonly config: string;
  readonly launch: LaunchSandboxed;
  readonly ahead: Ahead;
  readonly approvals: ApprovalDesk;
  readonly hooks: HookSet;
  /** One line for whoever runs the agent. */
  readonly log: (line: string) => void;
}

/** Where one run's processes belong. */
export interface RunPlace {
  readonly run: RunId;
  readonly session: SessionName;
  readonly cwd: string;
}

/** The agent's controls as they are now; nothing is kept from run to run or from call to call. */
export function currentDefinition({ site, agent }: HostContext): AgentDefinition {
  return loadDefinition(site.store, agent);
}
