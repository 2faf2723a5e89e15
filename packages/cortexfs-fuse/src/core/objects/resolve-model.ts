import { readlinkSync } from 'node:fs';
import { isObjectName } from '@cortexfs/abi/names';
import { SYMLINK, typeOf } from '../store/mode.ts';
import type { World } from '../world.ts';

/** A model by its identity, and where it stands relative to the root. */
export interface ResolvedModel {
  readonly name: string;
  readonly path: string;
}

const MOST_LINKS = 8;

/**
 * The model that a reference means: `provider/model`, or an alias found in the owner's `home/UID/model` and then in
 * `model`. Links are read, never followed by the kernel, and must stay among models.
 */
export function resolveModel(world: World, reference: string, uid?: number): ResolvedModel | undefined {
  const directories = [...(uid === undefined ? [] : [`home/${uid}/model`]), 'model'];
  for (const directory of directories) {
    const found = follow(world, `${directory}/${reference}`, MOST_LINKS);
    if (found !== undefined) return found;
  }
  return undefined;
}

function follow(world: World, path: string, left: number): ResolvedModel | undefined {
  const { store, places } = world;
  const slash = path.lastIndexOf('/');
  const place = places.directory(path.slice(0, slash));
  const name = path.slice(slash + 1);
  const stat = place && store.find(place, name);
  if (place === undefined || stat === undefined || left === 0) return undefined;
  if (typeOf(Number(stat.mode)) !== SYMLINK) return modelAt(path);
  const target = targetBelowRoot(path.slice(0, slash), readlinkSync(store.entry(place, name)));
  return target === undefined ? undefined : follow(world, target, left - 1);
}

function modelAt(path: string): ResolvedModel | undefined {
  const name = /^(?:home\/[0-9]+\/)?model\/([^/]+\/[^/]+)$/.exec(path)?.[1];
  return name === undefined ? undefined : { name, path };
}

/** The target relative to the root: `provider/model` beside the link, or an absolute path below /ctx. Nothing else is a model. */
export function targetBelowRoot(directory: string, target: string): string | undefined {
  const path = target.startsWith('/ctx/') ? target.slice(5) : `${directory}/${target}`;
  return path.split('/').every(isObjectName) ? path : undefined;
}
