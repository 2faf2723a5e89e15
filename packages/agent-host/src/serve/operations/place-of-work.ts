import { closeSync, constants, openSync } from 'node:fs';
import { posix } from 'node:path';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { homeAgent, SANDBOX } from '@cortexfs/abi/paths';
import { openBeneath } from '@cortexfs/linux/open-beneath';
import type { AgentDefinition } from '../../definition/definition.ts';
import { seesWorkspace } from '../authority/workspace.ts';
import type { HostContext } from '../host-context.ts';

const { O_DIRECTORY, O_RDONLY } = constants;

/**
 * The directory in which a request's processes start, as the agent sees it: below the workspace or the agent's home.
 * ENOENT when it is not there, EACCES when it is outside of both.
 */
export function placeOfWork(
  { site, agent, workspace, cwd: chosen }: HostContext,
  definition: AgentDefinition,
  asked: string | undefined,
): string {
  if (asked === undefined) return chosen ?? definition.cwd;
  const cwd = posix.normalize(asked).replace(/(?<=.)\/$/, '');
  const place = [
    { target: SANDBOX.workspace, source: seesWorkspace(definition) ? workspace : null },
    { target: SANDBOX.home, source: `${site.store}/${homeAgent(definition.owner, agent)}` },
  ].find(({ target }) => isAtOrBelow(cwd, target));
  if (place === undefined) throw refused('EACCES', "it is outside the workspace and the agent's home", cwd);
  if (place.source === null) throw refused('ENOENT', 'the agent sees no workspace', cwd);
  requireDirectory(place.source, posix.relative(place.target, cwd), cwd);
  return cwd;
}

function refused(code: 'EACCES' | 'ENOENT', why: string, path: string): CortexError {
  return new CortexError(code, why, { path, layer: 'mount' });
}

function isAtOrBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

function requireDirectory(base: string, relative: string, shown: string): void {
  let directory: number | undefined;
  try {
    directory = openSync(base, O_RDONLY | O_DIRECTORY);
    if (relative !== '') closeSync(openBeneath(directory, relative, O_RDONLY | O_DIRECTORY));
  } catch (error) {
    throw fromNodeError(error, { path: shown, layer: 'path' });
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}
