import { CortexError } from '@cortexfs/abi/errors';
import { type ModelInput, messageText } from '@cortexfs/abi/model-io';
import type { Model, ModelEvent } from './model.ts';
import { deltas, message } from './speech.ts';

/** debug/echo: streams the last user message back. */
export const model: Model = {
  usage: `debug/echo: an offline model for tests, not an AI. It streams the last user message back.
Input: text or {"messages":[…]}, as arguments or on standard input.
`,
  answer: echo,
};

function* echo({ messages }: ModelInput): Generator<ModelEvent> {
  const last = messages.findLast(({ role }) => role === 'user');
  if (last === undefined) {
    throw new CortexError('EINVAL', 'there is no user message to answer', { layer: 'model' });
  }
  const text = messageText(last);
  yield* deltas(text);
  yield message(text);
}
