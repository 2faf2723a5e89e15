import { allows } from '../../policy.ts';
import { quoted } from '../../quote.ts';
import type { AttenuationRequest, Dimension, Refusal } from '../attenuation.ts';
import { MAX_LIVE_CHILDREN, MAX_NESTING } from '../attenuation.ts';

/** Everything that is one value or a list of names. */
export function settingRefusals(request: AttenuationRequest): Refusal[] {
  const { parent, child, granted } = request;
  const refusals: Refusal[] = [];
  const refuse = (dimension: Dimension, reason: string) => refusals.push({ dimension, reason });

  for (const key of ['owner', 'uid', 'gid', 'iso'] as const)
    if (child[key] !== parent[key])
      refuse('identity', `${key} is ${child[key]}, the parent's is ${parent[key]}`);
  for (const gid of others(child.groups, [...parent.groups, ...(granted?.groups ?? [])]))
    refuse('groups', `gid ${gid} is no group of the parent`);
  for (const name of others(child.tools, parent.tools))
    refuse('tools', `${quoted(name)} is not declared by the parent`);
  for (const directory of others(child.path, parent.path))
    refuse('path', `${directory} is not in the parent's path`);
  const window = windowRefusal(request);
  if (window !== undefined) refuse('window', window);
  if (!mayUse(request)) refuse('model', `${quoted(child.model)} is not the parent's to use`);
  if (parent.approval === 'ask' && child.approval !== 'ask')
    refuse('approval', "the parent's calls are asked about, the child's would not be");
  if (parent.life === 'temp' && child.life !== 'temp')
    refuse('life', 'the parent is temporary, so are its children');
  if (request.depth + 1 > MAX_NESTING)
    refuse('nesting', `it would be ${request.depth + 1} deep; at most ${MAX_NESTING}`);
  if (request.children >= MAX_LIVE_CHILDREN)
    refuse('children', `the parent has ${request.children} living children; at most ${MAX_LIVE_CHILDREN}`);
  return refusals;
}

function others<T>(asked: readonly T[], had: readonly T[]): T[] {
  return asked.filter((one) => !had.includes(one));
}

function windowRefusal({ parent, child }: AttenuationRequest): string | undefined {
  if (parent.window === 'auto') return undefined;
  if (child.window === 'auto') return `auto may be more than the parent's ${parent.window}`;
  return child.window > parent.window
    ? `${child.window} is more than the parent's ${parent.window}`
    : undefined;
}

/** Its own model is what the parent has in use; any other takes a rule. */
function mayUse({ parent, child, granted }: AttenuationRequest): boolean {
  if (allows(parent.policy, parent.label.subject, 'model', child.model, 'use')) return true;
  return granted?.rules?.some((rule) => rule.class === 'model' && rule.object === child.model) ?? false;
}
