import { parseObjectName, type SessionName } from '@cortexfs/abi/names';
import { homeAgent } from '@cortexfs/abi/paths';
import { loadedNames, parseToolContext, toolContextFile } from '@cortexfs/abi/session/tool-context';
import type { AgentDefinition } from '../../definition/definition.ts';
import { requireTool } from '../authority/tool-call.ts';
import { readBeneath } from '../beneath.ts';
import { describeTool } from '../capability/tools.ts';
import type { InjectedTool } from './injection.ts';

/** Names are short: the tool shell keeps far fewer of them. */
const MAX_CONTEXT_FILE_BYTES = 256 * 1024;

/**
 * The tools that the session has loaded (docs/tsh.md) and that the agent may run now, pinned ones first. The file lies in
 * the agent's home, which the agent writes: what cannot be read as one, or names what is not there, loads nothing.
 */
export function loadedTools(
  store: string,
  definition: AgentDefinition,
  session: SessionName,
): InjectedTool[] {
  const context = readContext(store, definition, session);
  if (context === undefined) return [];
  const pinned = new Set(context.pinned);
  return [...new Set(loadedNames(context))].flatMap((text) => {
    try {
      const name = parseObjectName(text);
      const controls = requireTool(store, definition, name, definition.owner);
      const { description, schema } = describeTool(store, controls, name);
      return [{ name, description, schema: JSON.stringify(schema), pinned: pinned.has(text) }];
    } catch {
      // Loading never granted anything: what may not be run is not told of.
      return [];
    }
  });
}

function readContext(store: string, { owner, name }: AgentDefinition, session: SessionName) {
  try {
    const path = `${homeAgent(owner, name)}/${toolContextFile(session)}`;
    const text = readBeneath(store, path, MAX_CONTEXT_FILE_BYTES, 'session');
    return text === undefined ? undefined : parseToolContext(text);
  } catch {
    return undefined;
  }
}
