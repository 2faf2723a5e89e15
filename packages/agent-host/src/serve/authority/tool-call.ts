import { closeSync, type Stats } from 'node:fs';
import { decide, requireAllowed } from '@cortexfs/abi/authority';
import type { AuthorityRequest, Loaded } from '@cortexfs/abi/authority/facts';
import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { parseObjectMetadata } from '@cortexfs/abi/object-metadata';
import { SANDBOX } from '@cortexfs/abi/paths';
import { type Policy, parsePolicy } from '@cortexfs/abi/policy';
import type { AgentDefinition } from '../../definition/definition.ts';
import { type HeldFile, holdBeneath, readBeneath } from '../beneath.ts';
import { agentFacts, mountFacts } from './agent-facts.ts';

/** A call that may be made now. Its executable is held, so that a swap is seen. */
export interface PreparedCall {
  /** The executable as the sandbox sees it. */
  readonly path: string;
  /** Whether the object runner executes it: a built-in one. */
  readonly interpreted: boolean;
  /** Throws EACCES when the name no longer means the file that was decided about. */
  recheck(): void;
  close(): void;
}

/**
 * Decides about one direct call of a tool (docs/run.md, "Tool calls"): declaration, path, mode bits, mounts, label and
 * both policies, all as they are now. Throws the refusal of the first layer that does not agree.
 */
export function prepareToolCall(
  root: string,
  definition: AgentDefinition,
  tool: ObjectName,
  callerUid: number,
): PreparedCall {
  const found = findTool(root, definition, tool);
  const path = `${found.directory}/${tool}`;
  try {
    const direct = { declared: definition.tools, path: definition.path, directory: found.directory };
    const decision = decide({ ...toolRequest(root, definition, tool, callerUid, found), direct });
    requireAllowed(decision, below(path));
    return held(root, path, found.file!);
  } catch (error) {
    if (found.file !== undefined) closeSync(found.file.fd);
    throw error;
  }
}

/**
 * Throws the refusal unless the agent may run a tool at all, declared or not: what a tool asks of the host over the
 * capability socket needs the same right, for any program of the agent can send the same frame. Answers where its
 * controls are, relative to the root.
 */
export function requireTool(
  root: string,
  definition: AgentDefinition,
  tool: ObjectName,
  callerUid: number,
): string {
  const found = findTool(root, definition, tool);
  if (found.file !== undefined) closeSync(found.file.fd);
  const decision = decide(toolRequest(root, definition, tool, callerUid, found));
  const path = `${below(found.directory)}/${tool}`;
  requireAllowed(decision, path);
  return `${path}.d`;
}

function toolRequest(
  root: string,
  definition: AgentDefinition,
  tool: ObjectName,
  callerUid: number,
  { directory, file }: FoundTool,
): AuthorityRequest {
  return {
    agent: agentFacts(definition),
    caller: { uid: callerUid, rootAllowed: true },
    class: 'tool',
    object: tool,
    permission: 'execute',
    file: file === undefined ? 'missing' : file.stat,
    mount: mountFacts(definition, `${directory}/${tool}`),
    objectPolicy: toolPolicy(root, below(directory), tool),
  };
}

interface FoundTool {
  /** As the agent sees it. */
  readonly directory: string;
  readonly file: HeldFile | undefined;
}

/** The first directory of the agent's path that holds a regular file of that name; without one, where it would be. */
function findTool(root: string, { path }: AgentDefinition, tool: ObjectName): FoundTool {
  for (const directory of path.filter(isInView)) {
    const file = holdBeneath(root, `${below(directory)}/${tool}`);
    if (file?.stat.isFile()) return { directory, file };
    if (file !== undefined) closeSync(file.fd);
  }
  return { directory: `${SANDBOX.root}/tool`, file: undefined };
}

function held(root: string, path: string, { fd, stat }: HeldFile): PreparedCall {
  return {
    path,
    interpreted: isMetadata(root, below(path)),
    recheck() {
      const now = holdBeneath(root, below(path));
      if (now !== undefined) closeSync(now.fd);
      if (now !== undefined && isSameFile(now.stat, stat)) return;
      throw new CortexError('EACCES', 'it was replaced after the decision about it', {
        path: below(path),
        layer: 'tool',
      });
    },
    close: () => closeSync(fd),
  };
}

/** Built-in objects are, in the store, the lines that tell the runner what they are. */
function isMetadata(root: string, path: string): boolean {
  try {
    return parseObjectMetadata(readBeneath(root, path, MAX_CONTROL_BYTES) ?? '').class === 'tool';
  } catch {
    return false;
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.mode === other.mode && one.uid === other.uid;
}

function toolPolicy(root: string, directory: string, tool: ObjectName): Loaded<Policy> | 'none' {
  try {
    const text = readBeneath(root, `${directory}/${tool}.d/policy`, MAX_CONTROL_BYTES);
    return text === undefined ? 'none' : parsePolicy(text);
  } catch (error) {
    if (error instanceof CortexError) return error;
    throw error;
  }
}

function isInView(directory: string): boolean {
  return directory.startsWith(`${SANDBOX.root}/`);
}

/** A path of the view relative to the root. */
function below(path: string): string {
  return path.slice(SANDBOX.root.length + 1);
}
