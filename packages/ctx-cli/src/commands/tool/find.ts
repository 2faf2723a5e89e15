import { lstatSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { fileAt } from '../../place/abi-path.ts';
import { toolDirectories } from '../which.ts';

/** A tool's path below the root; ENOENT when a person finds none of that name. */
export function findTool(root: string, name: ObjectName): string {
  const path = toolDirectories()
    .map((directory) => `${directory}/${name}`)
    .find((place) => lstatSync(fileAt(root, place), { throwIfNoEntry: false })?.isFile());
  if (path !== undefined) return path;
  throw new CortexError('ENOENT', 'there is no such tool', { path: `tool/${name}`, hint: 'ctx tool list' });
}
