import { CortexError } from '../errors.ts';
import { parseSessionName, parseSpaceName, type SessionName, type SpaceName } from '../names.ts';
import { oneOf, optional, parsed } from '../shape.ts';

export type SessionScope = 'private' | 'shared' | 'temp';

/** Which session a request is about. Without `scope` it is private; `space` is there exactly when it is shared. */
export interface SessionAddress {
  session: SessionName;
  scope?: SessionScope;
  space?: SpaceName;
}

export const addressFields = {
  session: parsed(parseSessionName),
  scope: optional(oneOf('private', 'shared', 'temp')),
  space: optional(parsed(parseSpaceName)),
};

/** EINVAL when `space` is missing for a shared session or given for another. */
export function checkAddress<A extends Partial<SessionAddress>>(address: A): A {
  const shared = address.scope === 'shared';
  if (shared === (address.space !== undefined)) return address;
  const why = shared
    ? '"space" is missing: a shared session needs it'
    : '"space" is only for "scope":"shared"';
  throw new CortexError('EINVAL', why, { layer: 'session' });
}
