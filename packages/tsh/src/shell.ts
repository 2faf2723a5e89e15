import { readdirSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { isObjectName, type ObjectName } from '@cortexfs/abi/names';
import { type Agent, agentName, loadAgent } from './agent/agent.ts';
import { refusalFor } from './agent/permission.ts';
import { findRoot } from './place/root.ts';
import { type ToolPath, toolPath } from './place/tool-path.ts';
import { nearestName } from './tool/nearest.ts';
import { type Tool, toolIn } from './tool/tool.ts';

/** The exit code for a command that nobody knows. */
export const NOT_FOUND = 127;

/** A name was not found; `nearest` is a visible one that may have been meant. */
export class NotFound extends Error {
  readonly word: string;
  readonly nearest: string | undefined;

  constructor(word: string, nearest: string | undefined) {
    super(`${word}: command not found`);
    this.word = word;
    this.nearest = nearest;
  }
}

export interface ShellOptions {
  root?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Where tools are found and whether they may be run. Inside an agent's terminal every answer is made anew from the agent's
 * controls; a person runs what Linux lets them run.
 */
export class Shell {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly agent: ObjectName | undefined;

  constructor({ root, env = process.env }: ShellOptions = {}) {
    this.env = env;
    this.agent = agentName(env);
    if (this.agent !== undefined && root !== undefined) {
      throw new CortexError('EACCES', "--root: an agent's tools are those of its own view", {
        layer: 'path',
      });
    }
    this.root = findRoot(root, env);
  }

  get path(): ToolPath {
    return this.#path(this.#loadAgent());
  }

  /** The tool of that name, when it may be run. NotFound, or CortexError with the layer that refuses. */
  find(word: string): Tool {
    if (word.includes('/')) {
      throw new CortexError('EACCES', 'only tools are run, and only by name', { path: word, layer: 'path' });
    }
    const agent = this.#loadAgent();
    const { directories } = this.#path(agent);
    const tool = isObjectName(word) ? firstTool(directories, word) : undefined;
    if (tool === undefined) throw new NotFound(word, nearestName(word, this.commands()));
    const refusal = agent && refusalFor(this.root, agent, directories, tool);
    if (refusal) throw refusal;
    return tool;
  }

  /** Every tool that may be run, in name order. */
  tools(): Tool[] {
    const agent = this.#loadAgent();
    const { directories } = this.#path(agent);
    const names = new Set(directories.flatMap(objectNames));
    return [...names].sort().flatMap((name) => {
      const tool = firstTool(directories, name);
      if (tool === undefined) return [];
      return agent && refusalFor(this.root, agent, directories, tool) ? [] : [tool];
    });
  }

  /** The names of all tools that may be run. */
  commands(): string[] {
    return this.tools().map((tool) => tool.name);
  }

  #loadAgent(): Agent | undefined {
    return this.agent && loadAgent(this.root, this.agent);
  }

  #path(agent: Agent | undefined): ToolPath {
    const { root, env } = this;
    const uid = agent?.facts.owner ?? process.geteuid!();
    return toolPath({ root, uid, env, ...(agent ? { granted: agent.path } : {}) });
  }
}

function firstTool(directories: readonly string[], name: ObjectName): Tool | undefined {
  for (const directory of directories) {
    const tool = toolIn(directory, name);
    if (tool) return tool;
  }
  return undefined;
}

/** A directory that is missing or closed has no tools. */
function objectNames(directory: string): ObjectName[] {
  try {
    return readdirSync(directory).filter(isObjectName);
  } catch {
    return [];
  }
}
