import { CortexError } from '../errors.ts';
import { allows, formatRule, type Policy } from '../policy.ts';
import type { AuthorityRequest, Loaded } from './facts.ts';
import { messageOf } from './message.ts';
import { type Answer, allowed, refused, skipped } from './verdict.ts';

/** The agent's own policy. */
export function agentPolicyAnswer(request: AuthorityRequest): Answer {
  return policyAnswer('agent', request.agent.policy, request);
}

/** The policy beside the object. A tool always has one. */
export function objectPolicyAnswer(request: AuthorityRequest): Answer {
  if (request.objectPolicy === 'none') {
    return request.class === 'tool'
      ? refused('the tool has no policy')
      : skipped(`a ${request.class} has no policy of its own`);
  }
  return policyAnswer(request.class, request.objectPolicy, request);
}

function policyAnswer(side: string, policy: Loaded<Policy>, request: AuthorityRequest): Answer {
  const { agent, class: objectClass, object, permission, aliases = [] } = request;
  if (policy instanceof CortexError) return refused(`${side} policy is unusable: ${messageOf(policy)}`);
  if (agent.label instanceof CortexError) return skipped('no subject to look for');
  const { subject } = agent.label;
  const name = [object, ...aliases].find((candidate) =>
    allows(policy, subject, objectClass, candidate, permission),
  );
  if (name !== undefined)
    return allowed(formatRule({ subject, class: objectClass, object: name, permission }));
  return refused(
    `${side} policy has no "${formatRule({ subject, class: objectClass, object, permission })}"`,
  );
}
