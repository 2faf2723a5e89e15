import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isObjectName, type ObjectName } from '@cortexfs/abi/names';

/** An executable object that a name was found as. */
export interface Tool {
  /** The name that was looked for. */
  name: ObjectName;
  /** What is run: the name in a directory of the search path. */
  file: string;
  /** The object's own name: another one when `name` is an alias. */
  object: ObjectName;
  /** The directory that holds the object and its controls. */
  directory: string;
}

/** The control directory of a tool. */
export function controlsOf({ directory, object }: Tool): string {
  return join(directory, `${object}.d`);
}

/** What stands under this name in a tool directory; undefined when it is no executable object. */
export function toolIn(directory: string, name: ObjectName): Tool | undefined {
  const file = join(directory, name);
  try {
    accessSync(file, constants.X_OK);
    if (!statSync(file).isFile()) return undefined;
    // A link is an alias: its target says which object it is. The tool directory itself may be reached over links.
    const real = realpathSync(file);
    if (real === join(realpathSync(directory), name)) return { name, file, object: name, directory };
    const object = basename(real);
    return isObjectName(object) ? { name, file, object, directory: dirname(real) } : undefined;
  } catch {
    return undefined;
  }
}

/** A path below the root as an ABI path; undefined when it lies elsewhere. */
export function belowRoot(root: string, path: string): string | undefined {
  const below = relative(root, path);
  return below === '' || below.startsWith('..') ? undefined : below;
}
