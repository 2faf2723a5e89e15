import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { home } from '@cortexfs/abi/paths';
import { parseRcFile } from './rc-file.ts';
import { readSmallFile } from './small-file.ts';

/** Where a search path came from, for messages. */
export interface ToolPath {
  directories: readonly string[];
  source: 'CTX_PATH' | '.tshrc' | 'default';
}

export interface ToolPathFacts {
  root: string;
  uid: number;
  env: NodeJS.ProcessEnv;
  /** The directories that the agent's `path` control grants; undefined for a person. */
  granted?: readonly string[];
}

/**
 * The directories in which tools are looked for. An agent's terminal has the CTX_PATH of its process, each directory of which
 * its `path` control or the default must name; a person has CTX_HOME/.tshrc, then CTX_PATH, then the default.
 * EINVAL for an empty or relative element, EACCES for one that was not granted: nothing is searched then.
 */
export function toolPath(facts: ToolPathFacts): ToolPath {
  const { env, granted } = facts;
  const standard = [join(facts.root, 'tool'), join(facts.root, home(facts.uid), 'tool')];
  const file = granted === undefined ? fileValue(facts) : undefined;
  if (file !== undefined) return { directories: parseToolPath(file), source: '.tshrc' };
  const given = env['CTX_PATH'];
  if (given === undefined) return { directories: standard, source: 'default' };
  const directories = parseToolPath(given);
  if (granted !== undefined) requireGranted(directories, granted.length > 0 ? granted : standard);
  return { directories, source: 'CTX_PATH' };
}

/** Directories of a search path. EINVAL when one is empty, relative or not written plainly. */
export function parseToolPath(text: string): string[] {
  return text.split(':').map((directory) => {
    if (directory === '') throw invalid('has an empty directory', text);
    if (!directory.startsWith('/')) throw invalid('has a relative directory', text);
    if (/\0|\n|\/\/|\/\.{1,2}(?:\/|$)/.test(directory))
      throw invalid('has a directory with ".", ".." or "//"', text);
    return directory.length > 1 ? directory.replace(/\/$/, '') : directory;
  });
}

function fileValue({ root, uid, env }: ToolPathFacts): string | undefined {
  const directory = env['CTX_HOME'] || join(root, home(uid));
  const text = readSmallFile(join(directory, '.tshrc'), '.tshrc');
  return text === undefined ? undefined : parseRcFile(text);
}

function requireGranted(directories: readonly string[], granted: readonly string[]): void {
  const foreign = directories.find((directory) => !granted.includes(directory));
  if (foreign === undefined) return;
  throw new CortexError('EACCES', `CTX_PATH names ${foreign}, which the agent's "path" control does not`, {
    layer: 'path',
  });
}

function invalid(why: string, text: string): CortexError {
  return new CortexError('EINVAL', `CTX_PATH ${why}: ${JSON.stringify(text.slice(0, 200))}`, {
    layer: 'path',
    hint: 'write absolute directories with ":" between them, or unset it',
  });
}
