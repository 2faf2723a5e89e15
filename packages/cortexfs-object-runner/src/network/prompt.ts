import type { JSONValue, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { type ModelInput, type ModelMessage, messageText, type Part } from '@cortexfs/abi/model-io';
import type { ToolNames } from './tool-names.ts';

/** A conversation as the provider packages take it. A message without anything in it is left out: providers refuse it. */
export function promptOf({ messages }: ModelInput, names: ToolNames): LanguageModelV3Prompt {
  return messages.flatMap((message) => promptMessages(message, names));
}

function promptMessages(message: ModelMessage, names: ToolNames): LanguageModelV3Message[] {
  const { role } = message;
  switch (role) {
    case 'system':
      return [{ role, content: messageText(message) }];
    case 'user': {
      const text = messageText(message);
      return text === '' ? [] : [{ role, content: [{ type: 'text', text }] }];
    }
    case 'assistant': {
      const content = partsOf(message).flatMap((part) => assistantPart(part, names));
      return content.length === 0 ? [] : [{ role, content }];
    }
    case 'tool': {
      const results = partsOf(message).flatMap((part) => resultPart(part, names));
      // A result that answers no call is only text to a provider.
      if (results.length > 0) return [{ role, content: results }];
      return [{ role: 'user', content: [{ type: 'text', text: messageText(message) }] }];
    }
  }
}

function partsOf({ content }: ModelMessage): readonly Part[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV3Message, { role: 'tool' }>['content'];

function assistantPart(part: Part, names: ToolNames): AssistantContent {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'tool_result') return [];
  return [
    {
      type: 'tool-call',
      toolCallId: part.id,
      toolName: names.wire(part.name),
      input: part.arguments as JSONValue,
    },
  ];
}

function resultPart(part: Part, names: ToolNames): ToolContent {
  if (part.type !== 'tool_result') return [];
  const { tool_call_id: toolCallId, name, status, content } = part;
  const type = status === 'ok' ? 'text' : 'error-text';
  return [{ type: 'tool-result', toolCallId, toolName: names.wire(name), output: { type, value: content } }];
}
