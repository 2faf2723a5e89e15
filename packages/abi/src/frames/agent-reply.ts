import type { JsonObject } from '../json.ts';
import {
  parseRequestId,
  parseRunId,
  parseSessionName,
  type RequestId,
  type RunId,
  type SessionName,
} from '../names.ts';
import { SESSION_STATES, type SessionState } from '../session/state.ts';
import {
  integer,
  nullable,
  object,
  oneOf,
  optional,
  parsed,
  type Reader,
  readAs,
  text,
  variant,
} from '../shape.ts';
import { type ErrorFields, errorReaders } from './error-fields.ts';
import { EVENT_TYPES, parseEvent, type SessionEvent } from './event.ts';
import { type EventId, parseEventId } from './event-id.ts';

/** Frames that answer a request and are not stored. */
export type DirectReply =
  | { type: 'pong' }
  /** A cancel, approve or stop was accepted. `id` is the request's. */
  | { type: 'ok'; op: string; id?: RequestId }
  /** All stored events were sent; live ones follow. `last` is null in an empty session. */
  | { type: 'resumed'; last: EventId | null }
  | {
      type: 'status';
      session: SessionName;
      state: SessionState;
      run: RunId | null;
      step: number | null;
      model: string | null;
      last: EventId | null;
    }
  /** The request was refused before a run began. */
  | ({ type: 'error'; request_id?: RequestId } & ErrorFields);

export type AgentReply = SessionEvent | DirectReply;

/** Whether a reply is a stored event, whose id can be resumed after. */
export function isEvent(reply: AgentReply): reply is SessionEvent {
  return 'seq' in reply;
}

/** A frame from an agent's socket; undefined for a type that this version does not know, to be skipped. */
export function parseAgentReply(frame: JsonObject): AgentReply | undefined {
  const type = frame['type'];
  if (typeof type === 'string' && !known.has(type)) return undefined;
  return Object.hasOwn(frame, 'seq') ? parseEvent(frame) : readAs('reply', directReply, frame);
}

const directReplies: Record<DirectReply['type'], Reader<DirectReply>> = {
  pong: object({ type: oneOf('pong') }),
  ok: object({ type: oneOf('ok'), op: text(), id: optional(parsed(parseRequestId)) }),
  resumed: object({ type: oneOf('resumed'), last: nullable(parsed(parseEventId)) }),
  status: object({
    type: oneOf('status'),
    session: parsed(parseSessionName),
    state: oneOf(...SESSION_STATES),
    run: nullable(parsed(parseRunId)),
    step: nullable(integer()),
    model: nullable(text()),
    last: nullable(parsed(parseEventId)),
  }),
  error: object({ type: oneOf('error'), request_id: optional(parsed(parseRequestId)), ...errorReaders }),
};
const directReply = variant<DirectReply>('type', directReplies);

const known = new Set([...Object.keys(directReplies), ...EVENT_TYPES]);
