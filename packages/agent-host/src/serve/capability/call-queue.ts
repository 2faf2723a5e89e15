import type { ModelUseRequest } from '@cortexfs/abi/frames/capability';
import { MAX_TOOL_CALLS } from '@cortexfs/abi/invocation';
import type { ModelFrame } from '@cortexfs/abi/model-io';
import type { CallId, ModelId } from '@cortexfs/abi/names';

export type CallFrame = Extract<ModelFrame, { type: 'tool_call' }>;

/**
 * Calls that a model made at once and that are carried out one after the other: a step ends with its first call. Each of the others
 * is the answer to whoever brings the result of the one before, without another inference; whoever asks anything else has let them go.
 */
export class CallQueue {
  #waiting: CallFrame[] = [];
  #given: CallId | undefined;
  #asked: ModelUseRequest['model'];
  #answered: ModelId | undefined;

  /** Keeps the calls of an answer but the first, which it returns. */
  first(calls: readonly CallFrame[], request: ModelUseRequest, answered: ModelId): CallFrame | undefined {
    const [first, ...others] = calls;
    this.#waiting = others.slice(0, MAX_TOOL_CALLS);
    this.#given = first?.id;
    this.#asked = request.model;
    this.#answered = answered;
    return first;
  }

  /** The call that waits for this request, and the model that made it. */
  next(request: ModelUseRequest): { call: CallFrame; model: ModelId } | undefined {
    const call = this.#continues(request) ? this.#waiting.shift() : undefined;
    if (call === undefined || this.#answered === undefined) {
      this.#waiting = [];
      return undefined;
    }
    this.#given = call.id;
    return { call, model: this.#answered };
  }

  #continues({ model, messages }: ModelUseRequest): boolean {
    const content = messages.at(-1)?.content;
    const given = this.#given;
    if (given === undefined || model !== this.#asked || typeof content !== 'object') return false;
    return content.some((part) => part.type === 'tool_result' && part.tool_call_id === given);
  }
}
