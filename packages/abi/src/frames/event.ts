import type { ErrnoName } from '../errno.ts';
import type { JsonObject } from '../json.ts';
import { type TextPart, textPart, type Usage, usageFields } from '../model-io.ts';
import {
  type CallId,
  formatModelName,
  type ModelId,
  type ObjectName,
  parseCallId,
  parseModelName,
  parseObjectName,
  parseRequestId,
  parseRunId,
  parseSessionName,
  type RequestId,
  type RunId,
  type SessionName,
} from '../names.ts';
import {
  absolutePath,
  anyObject,
  flag,
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
} from '../shape.ts';
import { parseTimestamp, type Timestamp } from '../timestamp.ts';
import { type ErrorFields, errnoName, errorReaders } from './error-fields.ts';
import { type EventId, eventId, parseEventId } from './event-id.ts';

/** What every stored event has: its number in the session (from 1, no holes), its id and its time. */
export interface EventHead {
  id: EventId;
  seq: number;
  ts: Timestamp;
}

/** What happened in a run. */
export type RunEventBody = { run: RunId } & (
  | { type: 'start'; model?: string; request_id?: RequestId; request_sha256?: string }
  | { type: 'delta'; text: string }
  | { type: 'reasoning_delta'; text: string }
  | { type: 'message'; role: 'user' | 'assistant'; content: TextPart[] }
  | ({ type: 'usage'; model?: string } & Usage)
  | { type: 'tool_call'; tool_call_id: CallId; name: ObjectName; arguments: JsonObject }
  | { type: 'approval_request'; tool_call_id: CallId; name: ObjectName; arguments: JsonObject; cwd?: string }
  | { type: 'approval_result'; tool_call_id: CallId; decision: 'allow_once' | 'deny'; reason?: string }
  | ({ type: 'tool_result' } & ToolResultFields)
  | ({ type: 'error' } & ErrorFields)
  | { type: 'done'; status: RunStatus }
  | { type: 'agent.update'; request_id: RequestId; control: string }
  /** A model that did not answer, or may not be used; the next of its `fallback` was tried instead. */
  | { type: 'model.refused'; model: ModelId; code: ErrnoName; message: string }
);

/** What happened to the agent. */
export type LifeEventBody =
  | { type: 'agent.start'; agent: ObjectName; role: 'socket' | 'terminal'; pid?: number; found?: string[] }
  | { type: 'agent.stop'; agent: ObjectName; reason: string }
  | { type: 'agent.child.start'; child: ObjectName; session?: SessionName; run?: RunId }
  | { type: 'agent.child.cancel'; child: ObjectName; reason: string; run?: RunId };

export type EventBody = RunEventBody | LifeEventBody;
export type SessionEvent = EventHead & EventBody;
export type EventType = EventBody['type'];

/** The end of a run. */
export type RunStatus = 'ok' | 'error' | 'cancelled';

/** A tool's result as the host states it. `truncated` when `content` is not all of it. */
export interface ToolResultFields {
  tool_call_id: CallId;
  name: ObjectName;
  status: 'ok' | 'error';
  content: string;
  truncated: boolean;
  /** The errno name behind an error. */
  code?: ErrnoName;
}

/** One line of events.jsonl, which is also the frame on the socket. See docs/sockets.md. */
export function makeEvent<B extends EventBody>(seq: number, ts: Timestamp, body: B): EventHead & B {
  return { id: eventId(seq), seq, ts, ...body };
}

/** A stored event. EINVAL when a field is wrong or `id` and `seq` disagree; unknown fields are ignored. */
export function parseEvent(frame: JsonObject): SessionEvent {
  return readAs('event', event, frame);
}

const run = parsed(parseRunId);
const call = { run, tool_call_id: parsed(parseCallId) };
const name = parsed(parseObjectName);
const anyText = text({ nul: true });

const bodies: Record<EventType, Reader<EventBody>> = {
  start: object({
    type: oneOf('start'),
    run,
    model: optional(text()),
    request_id: optional(parsed(parseRequestId)),
    request_sha256: optional(text({ maxBytes: 64 })),
  }),
  delta: object({ type: oneOf('delta'), run, text: anyText }),
  reasoning_delta: object({ type: oneOf('reasoning_delta'), run, text: anyText }),
  message: object({ type: oneOf('message'), run, role: oneOf('user', 'assistant'), content: list(textPart) }),
  usage: object({ type: oneOf('usage'), run, model: optional(text()), ...usageFields }),
  tool_call: object({ type: oneOf('tool_call'), ...call, name, arguments: anyObject }),
  approval_request: object({
    type: oneOf('approval_request'),
    ...call,
    name,
    arguments: anyObject,
    cwd: optional(absolutePath),
  }),
  approval_result: object({
    type: oneOf('approval_result'),
    ...call,
    decision: oneOf('allow_once', 'deny'),
    reason: optional(anyText),
  }),
  tool_result: object({
    type: oneOf('tool_result'),
    ...call,
    name,
    status: oneOf('ok', 'error'),
    content: anyText,
    truncated: flag,
    code: optional(errnoName),
  }),
  error: object({ type: oneOf('error'), run, ...errorReaders }),
  done: object({ type: oneOf('done'), run, status: oneOf('ok', 'error', 'cancelled') }),
  'agent.update': object({
    type: oneOf('agent.update'),
    run,
    request_id: parsed(parseRequestId),
    control: text(),
  }),
  'model.refused': object({
    type: oneOf('model.refused'),
    run,
    model: parsed((text) => formatModelName(parseModelName(text))),
    code: errnoName,
    message: anyText,
  }),
  'agent.start': object({
    type: oneOf('agent.start'),
    agent: name,
    role: oneOf('socket', 'terminal'),
    pid: optional(integer(1)),
    found: optional(list(anyText)),
  }),
  'agent.stop': object({ type: oneOf('agent.stop'), agent: name, reason: anyText }),
  'agent.child.start': object({
    type: oneOf('agent.child.start'),
    child: name,
    session: optional(parsed(parseSessionName)),
    run: optional(run),
  }),
  'agent.child.cancel': object({
    type: oneOf('agent.child.cancel'),
    child: name,
    reason: anyText,
    run: optional(run),
  }),
};
const body = variant<EventBody>('type', bodies);

/** Every type of event that this version knows. */
export const EVENT_TYPES: ReadonlySet<string> = new Set(Object.keys(bodies));

const head = object({ id: parsed(parseEventId), seq: integer(1), ts: parsed(parseTimestamp) });

const event: Reader<SessionEvent> = (value, at) => {
  const { id, seq, ts } = head(value, at);
  oneOf(eventId(seq))(id, 'id');
  return { id, seq, ts, ...body(value, at) };
};
