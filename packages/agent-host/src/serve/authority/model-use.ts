import { closeSync, readlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { decide, requireAllowed } from '@cortexfs/abi/authority';
import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { limit } from '@cortexfs/abi/controls/model/limit';
import { CortexError } from '@cortexfs/abi/errors';
import { type ModelId, type ModelName, type ObjectName, parseModelName } from '@cortexfs/abi/names';
import { homeModel, modelAlias, modelControl, modelExec, SANDBOX } from '@cortexfs/abi/paths';
import type { AgentDefinition } from '../../definition/definition.ts';
import { holdBeneath, readBeneath } from '../beneath.ts';
import { agentFacts, mountFacts } from './agent-facts.ts';

/** What a model reference means now. */
export interface ResolvedModel {
  readonly name: ModelName;
  readonly id: ModelId;
  /** The aliases that were followed, first the one that was asked for. */
  readonly aliases: readonly ObjectName[];
}

const MAX_ALIASES = 8;

/** Follows an alias by readlink: the owner's own first, then the system's. ENOENT when it names no model. */
export function resolveModel(root: string, owner: number, reference: ModelId | ObjectName): ResolvedModel {
  const aliases: ObjectName[] = [];
  let current: string = reference;
  while (!current.includes('/')) {
    const alias = current as ObjectName;
    if (aliases.push(alias) > MAX_ALIASES) throw broken(reference, 'ELOOP', 'aliases lead in a circle');
    current = followAlias(root, owner, alias) ?? '';
    if (current === '') throw broken(reference, 'ENOENT', 'there is no such model or alias');
  }
  return { name: parseModelName(current), id: current as ModelId, aliases };
}

/** Throws the refusal unless the agent may use the model, by its name or by an alias that was followed. */
export function requireModelUse(
  root: string,
  definition: AgentDefinition,
  model: ResolvedModel,
  callerUid: number,
): void {
  const path = modelExec(model.name);
  const file = holdBeneath(root, path);
  if (file !== undefined) closeSync(file.fd);
  const decision = decide({
    agent: agentFacts(definition),
    caller: { uid: callerUid, rootAllowed: false },
    class: 'model',
    object: model.id,
    permission: 'use',
    aliases: model.aliases,
    file: file === undefined ? 'missing' : file.stat,
    mount: mountFacts(definition, `${SANDBOX.root}/${path}`),
    objectPolicy: 'none',
  });
  requireAllowed(decision, path);
}

/** The model's own context limit in tokens; undefined when it is unknown. */
export function modelLimit(root: string, model: ModelName): number | undefined {
  const text = readBeneath(root, modelControl(model, 'limit'), MAX_CONTROL_BYTES);
  const value = text === undefined ? 'unknown' : limit.parse(text);
  return value === 'unknown' ? undefined : value;
}

function followAlias(root: string, owner: number, alias: ObjectName): string | undefined {
  for (const place of [homeModel(owner, alias), modelAlias(alias)]) {
    const target = linkTarget(`${root}/${place}`);
    if (target === undefined) continue;
    const absolute = posix.resolve(`${SANDBOX.root}/${posix.dirname(place)}`, target);
    const reference = /^\/ctx\/model\/([^/]+(?:\/[^/]+)?)$/.exec(absolute)?.[1];
    const own = new RegExp(`^/ctx/home/${owner}/model/([^/]+)$`).exec(absolute)?.[1];
    return reference ?? own;
  }
  return undefined;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No link, or nothing at all: the caller looks in the next place.
    return undefined;
  }
}

function broken(reference: string, code: 'ENOENT' | 'ELOOP', why: string): CortexError {
  return new CortexError(code, why, { path: `model/${reference}`, layer: 'model', hint: 'ctx ls model' });
}
