import type { SessionScope } from '../frames/session-address.ts';
import { parseJsonObject } from '../json.ts';
import {
  type ObjectName,
  parseObjectName,
  parseSessionName,
  parseSpaceName,
  type SessionName,
  type SpaceName,
} from '../names.ts';
import { integer, object, oneOf, optional, parsed, type Reader, readAs } from '../shape.ts';
import { parseTimestamp, type Timestamp } from '../timestamp.ts';

export const SESSION_SCHEMA = 'cortexfs.session/v1';

/** A session's `meta.json`. See docs/sessions.md. */
export interface SessionMeta {
  schema: typeof SESSION_SCHEMA;
  agent: ObjectName;
  session: SessionName;
  scope: SessionScope;
  space?: SpaceName;
  /** The uid that the session belongs to. */
  owner: number;
  created_at: Timestamp;
}

export function parseSessionMeta(text: string): SessionMeta {
  return readAs('session meta.json', meta, parseJsonObject(text));
}

export function formatSessionMeta(value: SessionMeta): string {
  return `${JSON.stringify(value)}\n`;
}

const meta: Reader<SessionMeta> = object({
  schema: oneOf(SESSION_SCHEMA),
  agent: parsed(parseObjectName),
  session: parsed(parseSessionName),
  scope: oneOf('private', 'shared', 'temp'),
  space: optional(parsed(parseSpaceName)),
  owner: integer(0, 0xffff_fffe),
  created_at: parsed(parseTimestamp),
});
