import { type ModelMessage, messageText } from '@cortexfs/abi/model-io';
import { type Directive, parseScript } from './directive.ts';

/** What is left of a script, told from the conversation alone: nothing is remembered between two inferences. */
export interface Turn {
  /** Directives after those that have had their result. */
  readonly rest: readonly Directive[];
  /** Tool calls of this message that have had their result. */
  readonly done: number;
  /** The content of the last result. */
  readonly observation: string | undefined;
  /** The message holds no directive at all. */
  readonly plain: boolean;
}

/** The turn that the last user message and the results after it stand for. */
export function turnOf(messages: readonly ModelMessage[]): Turn {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const user = messages[start];
  const script = user === undefined ? [] : parseScript(messageText(user));
  const results = messages.slice(start + 1).flatMap(resultsOf);
  return {
    rest: script.slice(afterCall(script, results.length)),
    done: results.length,
    observation: results.at(-1),
    plain: script.length === 0,
  };
}

/** Contents of the results in a message; a tool message in plain text is one result. */
function resultsOf({ role, content }: ModelMessage): string[] {
  if (typeof content === 'string') return role === 'tool' ? [content] : [];
  return content.flatMap((part) => (part.type === 'tool_result' ? [part.content] : []));
}

/** The position after the nth call; the end when there are fewer. */
function afterCall(script: readonly Directive[], nth: number): number {
  let position = 0;
  for (let calls = 0; calls < nth && position < script.length; position++) {
    if (script[position]!.kind === 'call') calls++;
  }
  return position;
}
