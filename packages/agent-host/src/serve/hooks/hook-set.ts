import { closeSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { isObjectName, type ObjectName } from '@cortexfs/abi/names';
import { agentControls, agentExec, home, hookDirectory } from '@cortexfs/abi/paths';
import { holdBeneath } from '../beneath.ts';

/** The hooks of one object: paths below the root, in the order in which they run. */
export interface ObjectHooks {
  readonly pre: readonly string[];
  readonly post: readonly string[];
}

const NONE: ObjectHooks = { pre: [], post: [] };

/** Which hooks an object has; by its path below the root, as `tool/fs.read`. */
export type HookSet = (object: string) => ObjectHooks;

/**
 * The hooks of an agent and of all tools as they are now, which is when its host starts (docs/hooks.md). `tell` is told
 * what lies there and is no hook.
 */
export function readHookSet(
  store: string,
  agent: ObjectName,
  owner: number,
  tell: (line: string) => void,
): HookSet {
  const tools = ['tool', `${home(owner)}/tool`].flatMap((folder) =>
    namesIn(join(store, folder))
      .filter((name) => name.endsWith('.d'))
      .map((name) => ({ object: `${folder}/${name.slice(0, -2)}`, controls: `${folder}/${name}` })),
  );
  const objects = [{ object: agentExec(agent), controls: agentControls(agent) as string }, ...tools];
  const known = new Map<string, ObjectHooks>();
  for (const { object, controls } of objects) {
    const [pre, post] = (['pre', 'post'] as const).map((phase) =>
      hooksIn(store, hookDirectory(controls, phase), tell),
    );
    if (pre!.length + post!.length > 0) known.set(object, { pre: pre!, post: post! });
  }
  return (object) => known.get(object) ?? NONE;
}

/** Executable regular files in byte order of their names; links are none. */
function hooksIn(store: string, directory: string, tell: (line: string) => void): string[] {
  return namesIn(join(store, directory))
    .map((name) => `${directory}/${name}`)
    .filter((path) => {
      const fault = faultOf(store, path);
      if (fault !== undefined) tell(`${path} is no hook: ${fault}`);
      return fault === undefined;
    });
}

function faultOf(store: string, path: string): string | undefined {
  if (!isObjectName(path.slice(path.lastIndexOf('/') + 1))) return 'its name is not one of an object';
  try {
    const held = holdBeneath(store, path);
    if (held === undefined) return 'it is gone';
    closeSync(held.fd);
    if (!held.stat.isFile()) return 'it is not a regular file';
    return (held.stat.mode & 0o111) === 0 ? 'it is not executable' : undefined;
  } catch (error) {
    if (error instanceof CortexError) return error.message;
    throw error;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    // Most objects have none.
    return [];
  }
}
