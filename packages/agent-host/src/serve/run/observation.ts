import { MAX_OBSERVATION_BYTES, type Observation } from '@cortexfs/abi/invocation';
import type { CallId, ObjectName } from '@cortexfs/abi/names';
import type { ToolResult } from '@cortexfs/abi/tool-io';

/** A tool's result as it is recorded, shown to people and given to the next step: at most 16 KiB of UTF-8. */
export function observe(id: CallId, name: ObjectName, { status, content }: ToolResult): Observation {
  const cut = cutUtf8(content, MAX_OBSERVATION_BYTES);
  return { tool_call_id: id, name, status, content: cut, truncated: cut.length < content.length };
}

/** The longest beginning of a text that fits in `bytes`, never ending within a character. */
export function cutUtf8(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes;
  while (end > 0 && (encoded[end]! & 0xc0) === 0x80) end--;
  return encoded.toString('utf8', 0, end);
}
