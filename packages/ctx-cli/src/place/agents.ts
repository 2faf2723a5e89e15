import { readdirSync, readFileSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { isObjectName, type ObjectName } from '@cortexfs/abi/names';
import { agentControl } from '@cortexfs/abi/paths';

/** The agents that a root shows, in name order. */
export function agentNames(root: string): ObjectName[] {
  return readdirSync(`${root}/agent`)
    .filter((entry) => entry.endsWith('.d'))
    .map((entry) => entry.slice(0, -2))
    .filter(isObjectName)
    .sort();
}

/** The uid of an agent's owner. ENOENT when there is no such agent. */
export function ownerOf(root: string, agent: ObjectName): number {
  try {
    return Number(readFileSync(`${root}/${agentControl(agent, 'owner')}`, 'utf8'));
  } catch (error) {
    throw new CortexError('ENOENT', 'no such agent', {
      path: `agent/${agent}`,
      layer: 'name',
      hint: 'ctx status lists the agents',
      cause: error,
    });
  }
}
