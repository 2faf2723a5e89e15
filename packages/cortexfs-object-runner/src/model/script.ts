import { CortexError } from '@cortexfs/abi/errors';
import type { ModelInput } from '@cortexfs/abi/model-io';
import { parseCallId } from '@cortexfs/abi/names';
import { pause } from '@cortexfs/linux/pause';
import type { Model, ModelEvent } from './model.ts';
import { greeting } from './script/greeting.ts';
import { turnOf } from './script/turn.ts';
import { deltas, message } from './speech.ts';

/** debug/script: does what the directives of the last user message say (docs/models.md). */
export const model: Model = {
  usage: `debug/script: an offline model for tests and the first run, not an AI. It follows the lines of the
last user message: !call NAME {json}, !tsh WORD…, !say TEXT, !sleep MS, !fail CODE.
Input: text or {"messages":[…]}, as arguments or on standard input.
`,
  answer: perform,
};

/** Goes on after the last result up to the next call, or to the end, where the last result is repeated. */
function* perform({ messages }: ModelInput): Generator<ModelEvent> {
  const turn = turnOf(messages);
  const said: string[] = [];
  for (const directive of turn.rest) {
    switch (directive.kind) {
      case 'say':
        yield* say(said, directive.text);
        break;
      case 'sleep':
        pause(directive.ms);
        break;
      case 'fail':
        throw new CortexError(directive.code, `the script asked for !fail ${directive.code}`, {
          layer: 'model',
        });
      case 'call':
        yield {
          type: 'tool_call',
          id: parseCallId(`call-${turn.done + 1}`),
          name: directive.name,
          arguments: directive.arguments,
        };
        return;
    }
  }
  if (turn.observation !== undefined) yield* say(said, turn.observation);
  else if (turn.plain) yield* say(said, greeting);
  yield message(said.join('\n'));
}

/** One more paragraph of the answer. */
function* say(said: string[], text: string): Generator<ModelEvent> {
  yield* deltas(said.length === 0 ? text : `\n${text}`);
  said.push(text);
}
