import type { Invocation } from '@cortexfs/abi/invocation';
import { type ModelMessage, parseMessages } from '@cortexfs/abi/model-io';

/** What the model is asked in a step: the history, then the user's input (step 0) or the host's result (later). */
export function messagesOf({ history_messages, input, observation }: Invocation): ModelMessage[] {
  const history = parseMessages(history_messages);
  if (observation === null) return [...history, { role: 'user', content: input }];
  const { tool_call_id, name, status, content } = observation;
  return [
    ...history,
    { role: 'tool', content: [{ type: 'tool_result', tool_call_id, name, status, content }] },
  ];
}
