import { existsSync, readlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { isObjectName } from '@cortexfs/abi/names';
import { fileAt } from './abi-path.ts';

export interface ModelPlace {
  /** `provider/model`. */
  readonly id: string;
  /** Its executable below the root. */
  readonly path: string;
  /** The aliases that were followed. */
  readonly aliases: readonly string[];
}

const MOST_ALIASES = 8;

/** The model that a reference means: `provider/model`, or an alias, the owner's own before the system's. Undefined when there is none. */
export function findModel(root: string, reference: string, owner: number): ModelPlace | undefined {
  for (const directory of [`home/${owner}/model`, 'model']) {
    const found = follow(root, `${directory}/${reference}`, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function follow(root: string, path: string, aliases: readonly string[]): ModelPlace | undefined {
  const target = linkTarget(fileAt(root, path));
  if (target === undefined) return modelAt(root, path, aliases);
  if (aliases.length >= MOST_ALIASES) return undefined;
  const absolute = posix.resolve(`/ctx/${posix.dirname(path)}`, target);
  const below = absolute.startsWith('/ctx/') ? absolute.slice('/ctx/'.length) : undefined;
  return (below && follow(root, below, [...aliases, posix.basename(path)])) || undefined;
}

function modelAt(root: string, path: string, aliases: readonly string[]): ModelPlace | undefined {
  const id = /^(?:home\/\d+\/)?model\/([^/]+\/[^/]+)$/.exec(path)?.[1];
  if (id === undefined || !id.split('/').every(isObjectName) || !existsSync(fileAt(root, path)))
    return undefined;
  return { id, path, aliases };
}

function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    // No link, or nothing at all.
    return undefined;
  }
}
