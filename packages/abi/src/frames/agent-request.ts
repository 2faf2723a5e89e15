import type { JsonObject } from '../json.ts';
import {
  type CallId,
  parseCallId,
  parseRequestId,
  parseRunId,
  type RequestId,
  type RunId,
} from '../names.ts';
import {
  absolutePath,
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
import { type EventId, parseEventId } from './event-id.ts';
import { addressFields, checkAddress, type SessionAddress } from './session-address.ts';

export interface SendRequest extends SessionAddress {
  op: 'send';
  id: RequestId;
  cwd?: string;
  input: string;
}
/** Runs one tsh command as the agent, without its model. */
export interface TshRequest extends SessionAddress {
  op: 'tsh';
  id: RequestId;
  args: string[];
}
export interface ResumeRequest extends SessionAddress {
  op: 'resume';
  after?: EventId;
}
/** `id` is a run or a request id. */
export interface CancelRequest extends Partial<SessionAddress> {
  op: 'cancel';
  id: RunId | RequestId;
}
/** Answers an approval_request: `id` is the tool call's. Exactly these keys. */
export interface ApproveRequest {
  op: 'approve';
  run: RunId;
  id: CallId;
  decision: 'allow_once' | 'deny';
}
export interface StatusRequest extends SessionAddress {
  op: 'status';
}
export interface StopRequest {
  op: 'stop';
}
export interface PingRequest {
  op: 'ping';
}

/** What a client may ask of an agent's or model's socket. See docs/sockets.md. */
export type AgentRequest =
  | SendRequest
  | TshRequest
  | ResumeRequest
  | CancelRequest
  | ApproveRequest
  | StatusRequest
  | StopRequest
  | PingRequest;

/** A request frame. Unknown fields are ignored (but refused in `approve`), an unknown op is EINVAL. */
export function parseAgentRequest(frame: JsonObject): AgentRequest {
  return readAs('request', request, frame);
}

/** The id of a request that may be invalid otherwise, so that its error reply can name it. */
export function requestIdOf(frame: JsonObject): RequestId | undefined {
  const id = Object.hasOwn(frame, 'id') ? frame['id'] : undefined;
  try {
    return typeof id === 'string' ? parseRequestId(id) : undefined;
  } catch {
    return undefined;
  }
}

const id = parsed(parseRequestId);

const request: Reader<AgentRequest> = variant<AgentRequest>('op', {
  send: addressed(
    object({
      op: oneOf('send'),
      id,
      ...addressFields,
      cwd: optional(absolutePath),
      input: text({ nul: true }),
    }),
  ),
  tsh: addressed(object({ op: oneOf('tsh'), id, ...addressFields, args: list(text(), 1024) })),
  resume: addressed(object({ op: oneOf('resume'), ...addressFields, after: optional(parsed(parseEventId)) })),
  cancel: addressed(
    object({ op: oneOf('cancel'), id, ...addressFields, session: optional(addressFields.session) }),
  ),
  approve: object(
    {
      op: oneOf('approve'),
      run: parsed(parseRunId),
      id: parsed(parseCallId),
      decision: oneOf('allow_once', 'deny'),
    },
    { strict: true },
  ),
  status: addressed(object({ op: oneOf('status'), ...addressFields })),
  stop: object({ op: oneOf('stop') }),
  ping: object({ op: oneOf('ping') }),
});

function addressed<A extends Partial<SessionAddress>>(reader: Reader<A>): Reader<A> {
  return (value, at) => checkAddress(reader(value, at));
}
