import { allows } from '@cortexfs/abi/policy';
import type { AgentDefinition } from '../../definition/definition.ts';

/** Whether the agent's policy shows it the workspace at all. */
export function seesWorkspace({ policy, label: { subject } }: AgentDefinition): boolean {
  return ['read', 'write'].some((permission) => allows(policy, subject, 'mount', 'workspace', permission));
}
