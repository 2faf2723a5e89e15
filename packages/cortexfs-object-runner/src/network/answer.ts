import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { CortexError } from '@cortexfs/abi/errors';
import { isJsonObject, type JsonObject, parseJson } from '@cortexfs/abi/json';
import type { ModelInput } from '@cortexfs/abi/model-io';
import { type CallId, parseCallId } from '@cortexfs/abi/names';
import type { ModelEvent } from '../model/model.ts';
import { message } from '../model/speech.ts';
import { freshId } from '../run-id.ts';
import { pieces } from '../stdio/pieces.ts';
import { closestName, type ToolNames } from './tool-names.ts';

/** Most of a call's broken arguments that is shown to the model again, in UTF-16 units. */
const SHOWN = 2000;

/** What a model says, as events: texts at once; its message, usage and calls once it has finished, for a call ends a step. */
export class Answer {
  readonly #names: ToolNames;
  readonly #ids: Set<string>;
  readonly #calls: LanguageModelV3ToolCall[] = [];
  #text = '';
  #usage: LanguageModelV3Usage | undefined;
  #finish: LanguageModelV3FinishReason | undefined;

  constructor(names: ToolNames, { messages }: ModelInput) {
    this.#names = names;
    this.#ids = new Set(
      messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.flatMap((part) => ('id' in part ? [part.id] : [])),
      ),
    );
  }

  *take(part: LanguageModelV3StreamPart): Generator<ModelEvent> {
    switch (part.type) {
      case 'text-delta':
        this.#text += part.delta;
        for (const text of pieces(part.delta)) yield { type: 'delta', text };
        return;
      case 'reasoning-delta':
        for (const text of pieces(part.delta)) yield { type: 'reasoning_delta', text };
        return;
      case 'tool-call':
        if (!part.providerExecuted) this.#calls.push(part);
        return;
      case 'finish':
        this.#usage = part.usage;
        this.#finish = part.finishReason;
    }
  }

  /** EPROTO when the model did not finish, EACCES when its provider kept the answer back. */
  *end(): Generator<ModelEvent> {
    requireFinish(this.#finish);
    if (this.#text !== '' || this.#calls.length === 0) yield message(this.#text);
    const usage = usageOf(this.#usage);
    if (Object.keys(usage).length > 0) yield { type: 'usage', ...usage };
    for (const call of this.#calls) yield this.#call(call);
  }

  #call({ toolCallId, toolName, input }: LanguageModelV3ToolCall): ModelEvent {
    const name = this.#names.own(toolName);
    const read = readArguments(input);
    const malformed =
      name === undefined ? `there is no tool ${JSON.stringify(toolName.slice(0, 80))}` : read.malformed;
    return {
      type: 'tool_call',
      id: this.#id(toolCallId),
      name: name ?? closestName(toolName),
      arguments: read.arguments,
      ...(malformed === undefined ? {} : { malformed }),
    };
  }

  /** The provider's own id, unless the conversation has it already or it is none that can be written. */
  #id(given: string): CallId {
    const usable = /^[\x21-\x7e]{1,128}$/.test(given) && !this.#ids.has(given);
    const id = usable ? given : `call-${freshId()}`;
    this.#ids.add(id);
    return parseCallId(id);
  }
}

/** A call without any arguments has the empty ones. */
function readArguments(input: string): { arguments: JsonObject; malformed?: string } {
  if (input.trim() === '') return { arguments: {} };
  try {
    const value = parseJson(input);
    if (isJsonObject(value)) return { arguments: value };
    return { arguments: {}, malformed: broken('they are not a JSON object', input) };
  } catch (error) {
    return { arguments: {}, malformed: broken((error as Error).message, input) };
  }
}

function broken(why: string, input: string): string {
  return `the arguments cannot be used: ${why}. They were: ${pieces(input, SHOWN)[0]}`;
}

function requireFinish(finish: LanguageModelV3FinishReason | undefined): void {
  const reason = finish?.unified;
  if (reason === 'content-filter')
    throw new CortexError('EACCES', 'the provider’s filter kept the answer back', { layer: 'model' });
  if (reason === undefined || reason === 'error' || (reason === 'other' && finish?.raw === undefined))
    throw new CortexError('EPROTO', 'the provider ended its answer before it was finished', {
      layer: 'model',
    });
}

function usageOf(usage: LanguageModelV3Usage | undefined) {
  const counts = {
    input_tokens: usage?.inputTokens.total,
    output_tokens: usage?.outputTokens.total,
    reasoning_tokens: usage?.outputTokens.reasoning,
    cached_tokens: usage?.inputTokens.cacheRead,
  };
  return Object.fromEntries(
    Object.entries(counts).filter(([, count]) => Number.isSafeInteger(count) && count! >= 0),
  );
}
