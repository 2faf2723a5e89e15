import { readFileSync } from 'node:fs';
import { type AgentStatus, status as codec } from '@cortexfs/abi/controls/status';
import type { ObjectName } from '@cortexfs/abi/names';
import { runtimeTree } from '@cortexfs/abi/paths';
import { writeDurable } from '@cortexfs/linux/durable-write';

/** Where the agent stands, as `agent/NAME.d/status` shows it. The launch directory must exist. */
export async function writeStatus(runtime: string, name: ObjectName, status: AgentStatus): Promise<void> {
  await writeDurable(runtimeTree(runtime).agentStatus(name), codec.format(status), { mode: 0o600 });
}

/** `dead` for an agent that was never started. */
export function readStatus(runtime: string, name: ObjectName): AgentStatus {
  try {
    return codec.parse(readFileSync(runtimeTree(runtime).agentStatus(name), 'utf8'));
  } catch {
    return 'dead';
  }
}
