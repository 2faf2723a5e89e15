import { CortexError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { type ModelFrame, parseModelFrame } from '../model-io.ts';

/** What an agent's executable may write: no start, done, error, approval or result, which are the host's. */
export type AgentOutput = Extract<
  ModelFrame,
  { type: 'delta' | 'message' | 'reasoning_delta' | 'usage' | 'tool_call' }
>;

/** One line of an agent's standard output. Reserved and unknown types are EINVAL. See docs/invocation.md. */
export function parseAgentOutput(frame: JsonObject): AgentOutput {
  const type = frame['type'];
  if (typeof type !== 'string' || !allowed.has(type))
    throw new CortexError(
      'EINVAL',
      `an agent may not write a frame of type ${JSON.stringify(type ?? null)}`,
      {
        layer: 'agent',
        hint: `allowed: ${[...allowed].join(' ')}`,
      },
    );
  return parseModelFrame(frame) as AgentOutput;
}

const allowed = new Set(['delta', 'message', 'reasoning_delta', 'usage', 'tool_call']);
