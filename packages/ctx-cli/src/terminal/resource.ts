import { readdirSync, readFileSync } from 'node:fs';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { privateSessions, sessionDir, TERMINAL_FILES, terminalDir, terminalMeta } from '@cortexfs/abi/paths';
import { parseTerminalMeta, type TerminalMeta } from '@cortexfs/abi/session/terminal';
import { agentNames, ownerOf } from '../place/agents.ts';
import { connectTerminal } from './endpoint.ts';

/** A terminal as its session keeps it, also after its program and its socket are gone. */
export interface TerminalResource {
  readonly meta: TerminalMeta;
  /** Where its records lie, below the root. */
  readonly path: string;
}

/** The terminals of one agent, or of all; those of sessions that the caller may not read are left out. */
export function terminalsOf(root: string, agent?: ObjectName): TerminalResource[] {
  return (agent === undefined ? agentNames(root) : [agent])
    .flatMap((name) => sessionsOf(root, name))
    .flatMap((session) => terminalsIn(root, session));
}

/** What it is now: its recorded end, else `running` where it answers and `lost` where nobody does. */
export async function stateOf(root: string, { meta }: TerminalResource): Promise<string> {
  if (meta.state === 'exited' || meta.state === 'error') return meta.state;
  try {
    (await connectTerminal(root, meta.agent, meta.session)).destroy();
    return 'running';
  } catch {
    return 'lost';
  }
}

/** None of an agent that is gone, or is none. */
function sessionsOf(root: string, agent: ObjectName): string[] {
  try {
    const owner = ownerOf(root, agent);
    return readdirSync(`${root}/${privateSessions(owner, agent)}`)
      .sort()
      .map((session) => sessionDir(owner, agent, session as SessionName));
  } catch {
    return [];
  }
}

function terminalsIn(root: string, session: string): TerminalResource[] {
  return entries(`${root}/${terminalDir(session)}`).flatMap((id) => {
    const path = terminalMeta(session, id);
    const meta = readMeta(`${root}/${path}/${TERMINAL_FILES.meta}`);
    return meta ? [{ meta, path }] : [];
  });
}

/** Undefined where there is none: an alias, a terminal that never began, somebody else's. */
function readMeta(file: string): TerminalMeta | undefined {
  try {
    return parseTerminalMeta(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
