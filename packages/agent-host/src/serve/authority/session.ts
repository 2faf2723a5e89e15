import { closeSync } from 'node:fs';
import { decide, refusalError } from '@cortexfs/abi/authority';
import type { AuthorityRequest, FileFacts } from '@cortexfs/abi/authority/facts';
import { CortexError, withContext } from '@cortexfs/abi/errors';
import type { SessionAddress } from '@cortexfs/abi/frames/session-address';
import type { ObjectName, SpaceName } from '@cortexfs/abi/names';
import { agentControl, sharedSpace } from '@cortexfs/abi/paths';
import { formatRule } from '@cortexfs/abi/policy';
import type { AgentDefinition } from '../../definition/definition.ts';
import { holdBeneath } from '../beneath.ts';
import { agentFacts } from './agent-facts.ts';

export type SessionPermission = 'read' | 'write' | 'resume';

/**
 * Throws the refusal unless the agent may use a session: its policy must grant `session:NAME`, and for a shared one
 * `shared:SPACE` as well, where the space's own mode bits have their say (docs/policy.md).
 */
export function requireSession(
  store: string,
  definition: AgentDefinition,
  { session, space }: SessionAddress,
  permission: SessionPermission,
): void {
  const common = {
    agent: agentFacts(definition),
    // Who asks was settled when the connection came.
    caller: { uid: definition.owner, rootAllowed: false },
    mount: 'none',
    objectPolicy: 'none',
  } as const;
  if (space !== undefined) {
    const access = permission === 'write' ? 'write' : 'read';
    const shared = {
      class: 'shared',
      object: space,
      permission: access,
      file: spaceFacts(store, space),
    } as const;
    requireRight({ ...common, ...shared }, sharedSpace(space));
  }
  const asked = { class: 'session', object: session, permission, file: 'none' } as const;
  requireRight({ ...common, ...asked }, `session/${session}`);
}

function requireRight(request: AuthorityRequest, path: string): void {
  const decision = decide(request);
  if (decision.allowed) return;
  const error = refusalError(decision, path);
  const { name, label } = request.agent;
  if (decision.layer !== 'agent-policy' || label instanceof CortexError) throw error;
  const rule = formatRule({ subject: label.subject, ...request });
  throw withContext(error, { hint: `ctx append ${agentControl(name as ObjectName, 'policy')} "${rule}"` });
}

function spaceFacts(store: string, space: SpaceName): FileFacts | 'missing' {
  const held = holdBeneath(store, sharedSpace(space));
  if (held === undefined) return 'missing';
  closeSync(held.fd);
  return held.stat;
}
