import type { ModelMessage } from '@cortexfs/abi/model-io';
import type { Model, ModelEvent } from '../../src/model/model.ts';

/** Everything that a model yields to a conversation. */
export async function answer(model: Model, ...messages: ModelMessage[]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.answer({ messages })) events.push(event);
  return events;
}

/** The text of the deltas. */
export function streamed(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
}

/** The text of the message that ends an answer. */
export function final(events: readonly ModelEvent[]): string | undefined {
  const last = events.at(-1);
  return last?.type === 'message' ? last.content.map(({ text }) => text).join('') : undefined;
}
