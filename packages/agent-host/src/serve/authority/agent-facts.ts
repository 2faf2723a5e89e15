import type { AgentFacts, MountFacts } from '@cortexfs/abi/authority/facts';
import { mountFactsAt } from '@cortexfs/abi/authority/mount-table';
import { SANDBOX } from '@cortexfs/abi/paths';
import type { AgentDefinition } from '../../definition/definition.ts';

/** What the agent is, for the authority decision. */
export function agentFacts(definition: AgentDefinition): AgentFacts {
  const { name, owner, uid, gid, groups, label, policy } = definition;
  return { name, owner, uid, gid, groups, label, policy };
}

/** How the agent's mounts show a path. The view at /ctx is always there, read-only, unless the table covers it. */
export function mountFacts({ mount }: AgentDefinition, path: string): MountFacts {
  const view = { source: SANDBOX.root, target: SANDBOX.root, mode: 'ro', options: [] } as const;
  return mountFactsAt([view, ...mount], path);
}
