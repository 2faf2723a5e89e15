import type { JsonObject } from '../json.ts';
import { type TextPart, type ToolResultPart, textPart, toolResultPart } from '../model-io.ts';
import { parseRunId, type RunId } from '../names.ts';
import { list, object, oneOf, parsed, type Reader, readAs, text, variant } from '../shape.ts';
import { parseTimestamp, type Timestamp } from '../timestamp.ts';

interface MessageHead {
  /** Unique in the session. */
  id: string;
  ts: Timestamp;
  run: RunId;
}

/** One line of messages.jsonl. See docs/sessions.md. */
export type SessionMessage = MessageHead &
  ({ role: 'user' | 'assistant'; content: TextPart[] } | { role: 'tool'; content: ToolResultPart[] });

export function parseSessionMessage(line: JsonObject): SessionMessage {
  return readAs('message record', message, line);
}

const head = { id: text({ maxBytes: 128 }), ts: parsed(parseTimestamp), run: parsed(parseRunId) };

const message: Reader<SessionMessage> = variant<SessionMessage>('role', {
  user: object({ ...head, role: oneOf('user'), content: list(textPart) }),
  assistant: object({ ...head, role: oneOf('assistant'), content: list(textPart) }),
  tool: object({ ...head, role: oneOf('tool'), content: list(toolResultPart) }),
});
