import { CortexError } from '@cortexfs/abi/errors';
import { type AgentOutput, parseAgentOutput } from '@cortexfs/abi/frames/agent-output';
import type { DecodedFrame } from '@cortexfs/abi/jsonl';
import type { CallId, RunId } from '@cortexfs/abi/names';

export type ToolCall = Extract<AgentOutput, { type: 'tool_call' }>;

/** Most bytes that one step may write. */
export const MAX_STEP_BYTES = 16 * 1024 * 1024;

/**
 * The rules for what an agent's executable may write in one step (docs/run.md, "Output of a step"). `accept` returns the
 * frame, or throws EINVAL: then the run ends and the process group is killed.
 */
export class AgentOutputRules {
  readonly #run: RunId;
  readonly #usedCalls: ReadonlySet<CallId>;
  #bytes = 0;
  #answered = false;
  #call: ToolCall | undefined;

  /** `usedCalls` are the call ids of the steps before. */
  constructor(run: RunId, usedCalls: ReadonlySet<CallId>) {
    this.#run = run;
    this.#usedCalls = usedCalls;
  }

  /** The call that ended the step. */
  get call(): ToolCall | undefined {
    return this.#call;
  }

  /** Counts what was read, whether it forms frames or not. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_STEP_BYTES) throw invalid(`more than ${MAX_STEP_BYTES} bytes in one step`);
  }

  accept(decoded: DecodedFrame): AgentOutput {
    if (!decoded.ok) throw invalid(decoded.error.message, decoded.error);
    const frame = parse(decoded.value);
    if (this.#call !== undefined) throw invalid(`a ${frame.type} frame after the tool call`);
    if (frame.run !== undefined && frame.run !== this.#run) throw invalid('a frame of another run');
    if (frame.type === 'tool_call') this.#acceptCall(frame);
    if (frame.type === 'message' || frame.type === 'delta') this.#acceptAnswer(frame.type);
    return frame;
  }

  #acceptCall(call: ToolCall): void {
    if (this.#usedCalls.has(call.id))
      throw invalid(`the tool call id ${JSON.stringify(call.id)} was used before`);
    this.#call = call;
  }

  #acceptAnswer(type: 'message' | 'delta'): void {
    if (this.#answered) throw invalid(`a ${type} frame after the message`);
    this.#answered = type === 'message';
  }
}

function parse(value: Parameters<typeof parseAgentOutput>[0]): AgentOutput {
  try {
    return parseAgentOutput(value);
  } catch (error) {
    if (error instanceof CortexError) throw invalid(error.message, error);
    throw error;
  }
}

export function invalid(why: string, cause?: unknown): CortexError {
  return new CortexError('EINVAL', `invalid output of the agent: ${why}`, { layer: 'agent', cause });
}
