import { readdirSync, readFileSync } from 'node:fs';
import { type ObjectName, parseObjectName, type SessionName } from '@cortexfs/abi/names';
import {
  agentControl,
  privateSessions,
  sessionDir,
  TERMINAL_FILES,
  terminalDir,
  terminalMeta,
} from '@cortexfs/abi/paths';
import { parseTerminalMeta, type TerminalMeta } from '@cortexfs/abi/session/terminal';
import { connectTerminal } from './endpoint.ts';

/** A terminal as its session keeps it, also after its program and its socket are gone. */
export interface TerminalResource {
  readonly meta: TerminalMeta;
  /** Where its records lie, below the root. */
  readonly path: string;
}

/** The terminals of one agent, or of all; those of sessions that the caller may not read are left out. */
export function terminalsOf(root: string, agent?: ObjectName): TerminalResource[] {
  const agents = agent === undefined ? agentNames(root) : [agent];
  return agents.flatMap((name) => {
    const owner = ownerOf(root, name);
    if (owner === undefined) return [];
    return entries(`${root}/${privateSessions(owner, name)}`).flatMap((session) =>
      terminalsIn(root, sessionDir(owner, name, session as SessionName)),
    );
  });
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

function agentNames(root: string): ObjectName[] {
  return entries(`${root}/agent`)
    .filter((entry) => entry.endsWith('.d'))
    .map((entry) => parseObjectName(entry.slice(0, -2)));
}

function ownerOf(root: string, agent: ObjectName): number | undefined {
  try {
    return Number(readFileSync(`${root}/${agentControl(agent, 'owner')}`, 'utf8'));
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
