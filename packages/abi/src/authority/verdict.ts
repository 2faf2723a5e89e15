import type { ErrnoName } from '../errno.ts';

/** The layers of a decision, in the order in which they are asked. */
export const AUTHORITY_LAYERS = [
  'credentials',
  'mode',
  'mount',
  'label',
  'agent-policy',
  'object-policy',
  'path',
  'declaration',
] as const;

export type AuthorityLayer = (typeof AUTHORITY_LAYERS)[number];

/** What one layer says. `skipped`: it has no say in this operation, or an unusable label leaves it no subject. */
export type LayerVerdict =
  | { layer: AuthorityLayer; verdict: 'allowed' | 'skipped'; reason: string }
  | { layer: AuthorityLayer; verdict: 'refused'; reason: string; code: ErrnoName };

export type Answer =
  | { verdict: 'allowed' | 'skipped'; reason: string }
  | { verdict: 'refused'; reason: string; code: ErrnoName };

export function allowed(reason: string): Answer {
  return { verdict: 'allowed', reason };
}

export function skipped(reason: string): Answer {
  return { verdict: 'skipped', reason };
}

export function refused(reason: string, code: ErrnoName = 'EACCES'): Answer {
  return { verdict: 'refused', reason, code };
}
