import { CortexError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import {
  type ModelFrame,
  type ModelMessage,
  type ModelTool,
  modelFrame,
  modelInputFields,
} from '../model-io.ts';
import {
  type ModelId,
  type ObjectName,
  parseModelReference,
  parseObjectName,
  parseRequestId,
  parseRunId,
  parseSessionName,
  type RequestId,
  type RunId,
  type SessionName,
} from '../names.ts';
import { object, oneOf, optional, parsed, type Reader, readAs, text, variant } from '../shape.ts';
import { type ErrorFields, errorReaders } from './error-fields.ts';

/** Largest request in bytes with its newline; model.use may fill a whole frame of 1 MiB. */
export const MAX_CAPABILITY_REQUEST_BYTES = 16 * 1024;
/** Most request ids that one run may use. */
export const MAX_CAPABILITY_REQUESTS = 256;
/** Largest content of agent.update in bytes. */
export const MAX_UPDATE_BYTES = 8 * 1024;

export interface ModelUseRequest {
  op: 'model.use';
  request_id: RequestId;
  /** `provider/model` or an alias; without it the agent's own model. */
  model?: ModelId | ObjectName;
  messages: ModelMessage[];
  tools?: ModelTool[];
}
/** Replaces a prompt text of the agent itself, from its next run on. */
export interface AgentUpdateRequest {
  op: 'agent.update';
  request_id: RequestId;
  agent: ObjectName;
  session: SessionName;
  run: RunId;
  control: 'system.md' | 'prompt.template.md';
  content: string;
}

/** What an agent's processes may ask of their run's socket. See docs/sockets.md. */
export type CapabilityRequest = { op: 'ping' } | ModelUseRequest | AgentUpdateRequest;

/** The answers; those to a request carry its id. Model frames end with `done`. */
export type CapabilityReply =
  | { type: 'pong' }
  | { type: 'ok'; request_id: RequestId }
  | ({ type: 'error'; request_id?: RequestId } & ErrorFields)
  | (Exclude<ModelFrame, { type: 'error' }> & { request_id: RequestId });

/**
 * A request, given with the length of its line. Unknown fields are ignored; an unknown op is EINVAL, a request
 * over its limit EMSGSIZE.
 */
export function parseCapabilityRequest(frame: JsonObject, bytes: number): CapabilityRequest {
  if (bytes > MAX_CAPABILITY_REQUEST_BYTES && frame['op'] !== 'model.use')
    throw new CortexError(
      'EMSGSIZE',
      `request of ${bytes} bytes; all but model.use are limited to ${MAX_CAPABILITY_REQUEST_BYTES}`,
      { layer: 'frame' },
    );
  return readAs('capability request', request, frame);
}

export function parseCapabilityReply(frame: JsonObject): CapabilityReply {
  return readAs('capability reply', reply, frame);
}

/** The id of a request that may be invalid otherwise: it is consumed whatever the outcome. */
export function capabilityRequestIdOf(frame: JsonObject): RequestId | undefined {
  const id = Object.hasOwn(frame, 'request_id') ? frame['request_id'] : undefined;
  try {
    return typeof id === 'string' ? parseRequestId(id) : undefined;
  } catch {
    return undefined;
  }
}

const request_id = parsed(parseRequestId);

const request: Reader<CapabilityRequest> = variant<CapabilityRequest>('op', {
  ping: object({ op: oneOf('ping') }),
  'model.use': object({
    op: oneOf('model.use'),
    request_id,
    model: optional(parsed(parseModelReference)),
    ...modelInputFields,
  }),
  'agent.update': object({
    op: oneOf('agent.update'),
    request_id,
    agent: parsed(parseObjectName),
    session: parsed(parseSessionName),
    run: parsed(parseRunId),
    control: oneOf('system.md', 'prompt.template.md'),
    content: text({ maxBytes: MAX_UPDATE_BYTES }),
  }),
});

const modelReply: Reader<CapabilityReply> = (value, at) => {
  const frame = modelFrame(value, at);
  return { ...frame, ...object({ request_id })(value, at) } as CapabilityReply;
};

const reply: Reader<CapabilityReply> = variant<CapabilityReply>('type', {
  pong: object({ type: oneOf('pong') }),
  ok: object({ type: oneOf('ok'), request_id }),
  error: object({ type: oneOf('error'), request_id: optional(request_id), ...errorReaders }),
  start: modelReply,
  delta: modelReply,
  reasoning_delta: modelReply,
  message: modelReply,
  tool_call: modelReply,
  usage: modelReply,
  done: modelReply,
});
