import { readFileSync } from 'node:fs';
import { type ObjectName, parseSessionName, type SessionName } from '@cortexfs/abi/names';
import { agentControl, currentSession, privateSessions } from '@cortexfs/abi/paths';

/** The session that a command means: `--session`, else the agent's current one, else `default`. */
export function sessionOf(root: string, agent: ObjectName, option: string | undefined): SessionName {
  return parseSessionName(option ?? currentOf(root, agent) ?? 'default');
}

function currentOf(root: string, agent: ObjectName): string | undefined {
  try {
    const owner = Number(readFileSync(`${root}/${agentControl(agent, 'owner')}`, 'utf8'));
    return (
      readFileSync(`${root}/${currentSession(privateSessions(owner, agent))}`, 'utf8').trim() || undefined
    );
  } catch {
    return undefined;
  }
}
