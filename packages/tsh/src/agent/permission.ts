import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Decision, decide, refusalError } from '@cortexfs/abi/authority';
import type { FileFacts, Loaded } from '@cortexfs/abi/authority/facts';
import { HIDDEN } from '@cortexfs/abi/authority/mount-table';
import { policy } from '@cortexfs/abi/controls/policy';
import type { CortexError } from '@cortexfs/abi/errors';
import type { Policy } from '@cortexfs/abi/policy';
import { belowRoot, controlsOf, type Tool } from '../tool/tool.ts';
import { type Agent, mountFacts } from './agent.ts';
import { loadControl } from './controls.ts';

/** Why the agent may not run a tool, or undefined when it may: the one authority decision, from the files as they are now. */
export function refusalFor(
  root: string,
  agent: Agent,
  directories: readonly string[],
  tool: Tool,
): CortexError | undefined {
  const place = belowRoot(root, tool.directory);
  // An alias may only lead to where a tool would have been found as well.
  const found = place !== undefined && (directories.includes(tool.directory) || place === 'tool');
  const decision: Decision = decide({
    agent: agent.facts,
    caller: { uid: process.geteuid!(), rootAllowed: false },
    class: 'tool',
    object: tool.object,
    permission: 'execute',
    file: fileFacts(join(tool.directory, tool.object)),
    mount: found ? mountFacts(agent, `${place}/${tool.object}`) : HIDDEN,
    objectPolicy: found ? toolPolicy(root, tool) : 'none',
  });
  if (decision.allowed) return undefined;
  return refusalError(decision, place === undefined ? tool.object : `${place}/${tool.object}`);
}

function toolPolicy(root: string, tool: Tool): Loaded<Policy> {
  return loadControl(root, `${belowRoot(root, controlsOf(tool))}/policy`, policy);
}

function fileFacts(path: string): FileFacts | 'missing' {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? { uid: stat.uid, gid: stat.gid, mode: stat.mode } : 'missing';
}
