import type { ModelMessage } from '@cortexfs/abi/model-io';
import type { StoredMessage, ToolResultPart } from '../session/stored-message.ts';

/** Messages that are kept or dropped together: one message, or a tool call with its result. */
export type MessageGroup = readonly ModelMessage[];

/**
 * The conversation before a run as a model sees it, oldest first, as much of its end as fits in `maxBytes` of JSON.
 * `newestFirst` is read only as far as needed.
 */
export function pastGroups(newestFirst: Iterable<StoredMessage>, maxBytes: number): MessageGroup[] {
  const groups: MessageGroup[] = [];
  let bytes = 0;
  for (const message of newestFirst) {
    const group = groupOf(message);
    bytes += jsonBytes(group);
    if (bytes > maxBytes) break;
    groups.push(group);
  }
  return groups.reverse();
}

/** Bytes of the group inside a JSON array. */
export function jsonBytes(group: MessageGroup): number {
  return group.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)) + 1, 0);
}

/** A call and its result, as the two messages that models expect. */
export function callGroup(text: string, result: ToolResultPart): MessageGroup {
  const { tool_call_id: id, name, status, content } = result;
  const call = { type: 'tool_call', id, name, arguments: result.arguments ?? {} } as const;
  return [
    { role: 'assistant', content: text === '' ? [call] : [{ type: 'text', text }, call] },
    { role: 'tool', content: [{ type: 'tool_result', tool_call_id: id, name, status, content }] },
  ];
}

function groupOf({ role, content }: StoredMessage): MessageGroup {
  const [first] = content;
  if (role === 'tool' && first?.type === 'tool_result') return callGroup('', first);
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return [{ role: role === 'tool' ? 'user' : role, content: text }];
}
