import { codecFor } from '@cortexfs/abi/controls/registry';
import { CortexError, withContext } from '@cortexfs/abi/errors';
import type { AgentUpdateRequest } from '@cortexfs/abi/frames/capability';
import { type ObjectName, parseObjectName } from '@cortexfs/abi/names';
import { agentControl } from '@cortexfs/abi/paths';
import { writeControl } from '../../definition/write-control.ts';
import { requireTool } from '../authority/tool-call.ts';
import { currentDefinition, type HostContext } from '../host-context.ts';
import type { CapabilityIdentity } from './capability.ts';

const TOOL = parseObjectName('agent.update');

/**
 * `agent.update`: replaces a prompt text of the run's own agent in the store, from its next run on (docs/run.md). EACCES
 * for another agent, session or run than the socket's own, and for an agent that may not run the tool of that name.
 */
export async function updateAgent(
  host: HostContext,
  identity: CapabilityIdentity,
  request: AgentUpdateRequest,
): Promise<void> {
  const { control, content, request_id } = request;
  requireSelf(host.agent, identity, request);
  requireTool(host.site.store, currentDefinition(host), TOOL, identity.owner);
  checkText(host.agent, control, content);
  // The machine's store is root's to write; its mount lets the agent's owner.
  const { store, root, system } = host.site;
  await writeControl(system === undefined ? store : root, host.agent, control, content);
  await identity.record({ type: 'agent.update', request_id, control });
}

function requireSelf(agent: ObjectName, own: CapabilityIdentity, asked: AgentUpdateRequest): void {
  const rows = [
    ['agent', asked.agent, agent],
    ['session', asked.session, own.session],
    ['run', asked.run, own.run],
  ] as const;
  const other = rows.find(([, given, mine]) => given !== mine);
  if (other === undefined) return;
  const [what, given, mine] = other;
  throw new CortexError('EACCES', `${what} ${given} is not the ${what} of this socket, ${mine}`, {
    layer: 'credentials',
    hint: 'an agent can only update itself',
  });
}

function checkText(agent: ObjectName, control: AgentUpdateRequest['control'], content: string): void {
  try {
    codecFor('agent', control)!.parse(content);
  } catch (error) {
    throw error instanceof CortexError ? withContext(error, { path: agentControl(agent, control) }) : error;
  }
}
