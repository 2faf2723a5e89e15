import type { ErrnoName } from './errno.ts';
import { errnoName } from './frames/error-fields.ts';
import { isJsonObject, type JsonObject, parseJson } from './json.ts';
import {
  type CallId,
  type ObjectName,
  parseCallId,
  parseObjectName,
  parseRunId,
  type RunId,
} from './names.ts';
import {
  anyObject,
  integer,
  list,
  object,
  oneOf,
  optional,
  parsed,
  type Reader,
  readAs,
  text,
  variant,
} from './shape.ts';

export interface TextPart {
  type: 'text';
  text: string;
}
export interface ToolCallPart {
  type: 'tool_call';
  id: CallId;
  name: ObjectName;
  arguments: JsonObject;
}
export interface ToolResultPart {
  type: 'tool_result';
  tool_call_id: CallId;
  name: ObjectName;
  status: 'ok' | 'error';
  content: string;
}
export type Part = TextPart | ToolCallPart | ToolResultPart;

/** One message of a conversation with a model. See docs/invocation.md. */
export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | Part[];
}

/** A tool that a model may call: `schema` is the JSON Schema of its arguments. */
export interface ModelTool {
  name: ObjectName;
  description: string;
  schema: JsonObject;
}

export interface ModelInput {
  messages: ModelMessage[];
  tools?: ModelTool[];
}

/**
 * One line of a model's output. `run` is absent only in what an agent's executable writes. `malformed` says why a call cannot
 * be carried out: then it has an error as its result, which the model can mend.
 */
export type ModelFrame = { run?: RunId } & (
  | { type: 'start'; model?: string }
  | { type: 'delta'; text: string }
  | { type: 'reasoning_delta'; text: string }
  | { type: 'message'; role?: 'assistant'; content: TextPart[] }
  | { type: 'tool_call'; id: CallId; name: ObjectName; arguments: JsonObject; malformed?: string }
  | ({ type: 'usage' } & Usage)
  | { type: 'error'; code: ErrnoName; message: string; hint?: string }
  | { type: 'done'; status: 'ok' | 'error' | 'cancelled' }
);

/** Token counts as a provider reports them. */
export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  reasoning_tokens?: number;
  cached_tokens?: number;
}

/** A model's argument or standard input: an object with `messages`, or plain text as one user message. */
export function parseModelInput(input: string): ModelInput {
  const value = asObject(input);
  if (value && Object.hasOwn(value, 'messages')) return readAs('model input', modelInput, value);
  return { messages: [{ role: 'user', content: input }] };
}

/** The `history_messages` of an invocation: a JSON array of messages, oldest first. */
export function parseMessages(json: string): ModelMessage[] {
  return readAs('message list', list(modelMessage), parseJson(json));
}

/** One line of a model's output; other fields are ignored. */
export function parseModelFrame(frame: JsonObject): ModelFrame {
  return readAs('model frame', modelFrame, frame);
}

/** All text of a message, its parts joined. */
export function messageText({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool_result' ? part.content : ''))
    .join('');
}

const run = optional(parsed(parseRunId));

export const textPart: Reader<TextPart> = object({ type: oneOf('text'), text: text({ nul: true }) });
const callFields = { name: parsed(parseObjectName), arguments: anyObject };
export const toolResultPart: Reader<ToolResultPart> = object({
  type: oneOf('tool_result'),
  tool_call_id: parsed(parseCallId),
  name: parsed(parseObjectName),
  status: oneOf('ok', 'error'),
  content: text({ nul: true }),
});
const part: Reader<Part> = variant<Part>('type', {
  text: textPart,
  tool_call: object({ type: oneOf('tool_call'), id: parsed(parseCallId), ...callFields }),
  tool_result: toolResultPart,
});

export const modelMessage: Reader<ModelMessage> = object({
  role: oneOf('system', 'user', 'assistant', 'tool'),
  content: (value, at) => (typeof value === 'string' ? value : list(part)(value, at)),
});

const modelTool: Reader<ModelTool> = object({
  name: parsed(parseObjectName),
  description: text(),
  schema: anyObject,
});

export const modelInputFields = { messages: list(modelMessage), tools: optional(list(modelTool)) };
const modelInput: Reader<ModelInput> = object(modelInputFields);

export const usageFields = {
  input_tokens: optional(integer()),
  output_tokens: optional(integer()),
  reasoning_tokens: optional(integer()),
  cached_tokens: optional(integer()),
};

export const modelFrame: Reader<ModelFrame> = variant<ModelFrame>('type', {
  start: object({ type: oneOf('start'), run, model: optional(text()) }),
  delta: object({ type: oneOf('delta'), run, text: text({ nul: true }) }),
  reasoning_delta: object({ type: oneOf('reasoning_delta'), run, text: text({ nul: true }) }),
  message: object({
    type: oneOf('message'),
    run,
    role: optional(oneOf('assistant')),
    content: list(textPart),
  }),
  tool_call: object({
    type: oneOf('tool_call'),
    run,
    id: parsed(parseCallId),
    ...callFields,
    malformed: optional(text({ nul: true })),
  }),
  usage: object({ type: oneOf('usage'), run, ...usageFields }),
  error: object({ type: oneOf('error'), run, code: errnoName, message: text(), hint: optional(text()) }),
  done: object({ type: oneOf('done'), run, status: oneOf('ok', 'error', 'cancelled') }),
});

/** Text that only looks like JSON is text: a person may well ask a model about `{…`. */
function asObject(input: string): JsonObject | undefined {
  if (!input.trimStart().startsWith('{')) return undefined;
  try {
    const value = parseJson(input);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
