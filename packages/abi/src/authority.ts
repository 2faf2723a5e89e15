import { declarationAnswer, pathAnswer } from './authority/direct-call.ts';
import type { AuthorityRequest } from './authority/facts.ts';
import { messageOf } from './authority/message.ts';
import { agentPolicyAnswer, objectPolicyAnswer } from './authority/policies.ts';
import {
  type Answer,
  AUTHORITY_LAYERS,
  type AuthorityLayer,
  allowed,
  type LayerVerdict,
  refused,
} from './authority/verdict.ts';
import { fileAnswer, mountAnswer } from './authority/visibility.ts';
import type { ErrnoName } from './errno.ts';
import { CortexError } from './errors.ts';

/** `verdicts` has one entry a layer, in order, also after a refusal. */
export type Decision =
  | { allowed: true; verdicts: readonly LayerVerdict[] }
  | {
      allowed: false;
      layer: AuthorityLayer;
      reason: string;
      code: ErrnoName;
      verdicts: readonly LayerVerdict[];
    };

const LAYERS: Readonly<Record<AuthorityLayer, (request: AuthorityRequest) => Answer>> = {
  credentials: credentialsAnswer,
  mode: fileAnswer,
  mount: mountAnswer,
  label: labelAnswer,
  'agent-policy': agentPolicyAnswer,
  'object-policy': objectPolicyAnswer,
  path: pathAnswer,
  declaration: declarationAnswer,
};

/**
 * Decides whether an agent may do something to an object (docs/authority.md). Every layer must agree;
 * the first that refuses is the answer. Pure: it reads nothing and remembers nothing.
 */
export function decide(request: AuthorityRequest): Decision {
  const verdicts = AUTHORITY_LAYERS.map((layer): LayerVerdict => ({ layer, ...LAYERS[layer](request) }));
  for (const verdict of verdicts) {
    if (verdict.verdict !== 'refused') continue;
    return { allowed: false, layer: verdict.layer, reason: verdict.reason, code: verdict.code, verdicts };
  }
  return { allowed: true, verdicts };
}

/** Throws the refusal, with the object's ABI path, when the decision is one. */
export function requireAllowed(decision: Decision, path: string): void {
  if (!decision.allowed) throw refusalError(decision, path);
}

/** A refusal as an error: `EACCES: tool/fs.write: agent policy has no "allow …"`. */
export function refusalError(decision: Extract<Decision, { allowed: false }>, path: string): CortexError {
  return new CortexError(decision.code, decision.reason, { path, layer: decision.layer });
}

function credentialsAnswer({ agent, caller }: AuthorityRequest): Answer {
  if (caller.uid === agent.uid || caller.uid === agent.owner)
    return allowed(`uid ${caller.uid} is the agent's`);
  if (caller.uid === 0 && caller.rootAllowed) return allowed('uid 0 may ask here');
  return refused(
    `uid ${caller.uid} may not act for agent ${agent.name}, which belongs to uid ${agent.owner}`,
  );
}

function labelAnswer({ agent }: AuthorityRequest): Answer {
  if (agent.label instanceof CortexError)
    return refused(`agent label is unusable: ${messageOf(agent.label)}`);
  return allowed(`subject ${agent.label.subject}`);
}
