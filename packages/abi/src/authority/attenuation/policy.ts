import { allows, formatRule, type PolicyRule } from '../../policy.ts';
import type { AttenuationRequest, Refusal } from '../attenuation.ts';

/** Every rule is about the child, and its parent has the same; a tool that the parent cannot run cannot be handed on. */
export function policyRefusals(request: AttenuationRequest): Refusal[] {
  return request.child.policy.rules.flatMap((rule) => {
    const reason = faultOf(rule, request);
    return reason === undefined
      ? []
      : [{ dimension: 'policy' as const, reason: `"${formatRule(rule)}": ${reason}` }];
  });
}

function faultOf(
  rule: PolicyRule,
  { parent, child, mayRun, granted }: AttenuationRequest,
): string | undefined {
  if (rule.subject !== child.label.subject) return `the subject of the child is ${child.label.subject}`;
  if (granted?.rules?.some((given) => formatRule({ ...given, subject: rule.subject }) === formatRule(rule)))
    return undefined;
  if (!allows(parent.policy, parent.label.subject, rule.class, rule.object, rule.permission))
    return `the parent has no such rule`;
  if (rule.class === 'tool' && !mayRun(rule.object)) return 'the tool does not let the parent';
  return undefined;
}
