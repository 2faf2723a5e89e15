import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isObjectName, type ObjectName } from '@cortexfs/abi/names';
import { SANDBOX } from '@cortexfs/abi/paths';
import { oneLine } from '@cortexfs/abi/terminal-text';
import type { AgentDefinition } from '../definition/definition.ts';
import { loadDefinition } from '../definition/load.ts';
import { siteOf } from '../launch/site.ts';
import { requireTool } from '../serve/authority/tool-call.ts';
import { describeTool } from '../serve/capability/tools.ts';
import type { Arguments } from './arguments.ts';

interface ToolLine {
  readonly name: string;
  /** Whether the model may call it by itself; the others are run through tsh. */
  readonly direct: boolean;
  readonly description: string;
}

/** The tools that the agent may run now, by the same decision that each call gets. */
export async function tools(args: Arguments): Promise<number> {
  const { store } = siteOf(args);
  const definition = loadDefinition(store, args.name!);
  const found = namesIn(store, definition).flatMap((name) => toolLine(store, definition, name) ?? []);
  process.stdout.write(args.json ? `${JSON.stringify(found)}\n` : inWords(found));
  return 0;
}

function toolLine(store: string, definition: AgentDefinition, name: ObjectName): ToolLine | undefined {
  try {
    const controls = requireTool(store, definition, name, definition.owner);
    const direct = name === 'tsh' || definition.tools.includes(name);
    return { name, direct, description: describeTool(store, controls, name).description };
  } catch {
    // What may not be run, or is broken, is not one of its tools.
    return undefined;
  }
}

function namesIn(store: string, { path }: AgentDefinition): ObjectName[] {
  const names = path
    .filter((directory) => directory.startsWith(`${SANDBOX.root}/`))
    .flatMap((directory) => entriesOf(join(store, directory.slice(SANDBOX.root.length))))
    .filter(isObjectName);
  return [...new Set(names)].sort();
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function inWords(found: readonly ToolLine[]): string {
  const width = Math.max(0, ...found.map(({ name }) => name.length));
  return found
    .map(
      ({ name, direct, description }) =>
        `${name.padEnd(width)}  ${direct ? 'direct' : 'tsh   '}  ${oneLine(description)}\n`,
    )
    .join('');
}
