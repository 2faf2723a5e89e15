import { readFileSync } from 'node:fs';
import { type ObjectName, parseSessionName, type SessionName } from '@cortexfs/abi/names';
import { currentSession, privateSessions } from '@cortexfs/abi/paths';
import { ownerOf } from '../place/agents.ts';

/** The session that a command means: `--session`, else the agent's current one, else `default`. */
export function sessionOf(root: string, agent: ObjectName, option: string | undefined): SessionName {
  return parseSessionName(option ?? currentOf(root, agent) ?? 'default');
}

function currentOf(root: string, agent: ObjectName): string | undefined {
  try {
    const sessions = privateSessions(ownerOf(root, agent), agent);
    return readFileSync(`${root}/${currentSession(sessions)}`, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
