import { CortexError } from '../errors.ts';
import { quoted } from '../quote.ts';
import type { AuthorityRequest } from './facts.ts';
import { messageOf } from './message.ts';
import { type Answer, allowed, refused, skipped } from './verdict.ts';

/** Whether the executable was found in a directory of the agent's path. */
export function pathAnswer({ direct }: AuthorityRequest): Answer {
  if (direct === undefined) return skipped('not a direct call');
  if (direct.path instanceof CortexError) return refused(`agent path is unusable: ${messageOf(direct.path)}`);
  if (direct.path.includes(direct.directory)) return allowed(`found in ${direct.directory}`);
  return refused(`${direct.directory} is not in the agent's path`);
}

/** Whether the agent declares the tool. tsh needs no declaration. */
export function declarationAnswer({ agent, direct, object }: AuthorityRequest): Answer {
  if (direct === undefined) return skipped('not a direct call');
  if (object === 'tsh') return allowed('tsh is always declared');
  if (direct.declared instanceof CortexError)
    return refused(`agent tools are unusable: ${messageOf(direct.declared)}`);
  if (direct.declared.includes(object)) return allowed(`declared in agent/${agent.name}.d/tools`);
  return refused(`${quoted(object)} is not declared in agent/${agent.name}.d/tools`);
}
