// An agent in TypeScript, without a model: it has the tool example.words count what it is told, and says the result. One process is
// one step: an envelope on standard input, frames on standard output, and at most one tool call at the end.
import { readFileSync } from 'node:fs';

interface Envelope {
  schema: 'cortexfs.agent-invocation/v1';
  run: string;
  step: number;
  input: string;
  /** What the call that ended the step before gave; null in step 0. */
  observation: { name: string; status: 'ok' | 'error'; content: string } | null;
}

const { run, input, observation } = JSON.parse(readFileSync(0, 'utf8')) as Envelope;

if (observation === null) {
  frame({ type: 'tool_call', id: 'count', name: 'example.words', arguments: { text: input } });
} else if (observation.status === 'ok') {
  const { words, longest } = JSON.parse(observation.content) as { words: number; longest: string };
  say(`That is ${words} words, the longest is "${longest}".`);
} else {
  say(`I could not count: ${observation.content}`);
}

function say(text: string): void {
  frame({ type: 'message', role: 'assistant', content: [{ type: 'text', text }] });
}

function frame(fields: object): void {
  process.stdout.write(`${JSON.stringify({ ...fields, run })}\n`);
}
