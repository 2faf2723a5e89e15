import { pieces } from '../stdio/pieces.ts';
import type { ModelEvent } from './model.ts';

const MOST_DELTAS = 32;
const SHORTEST_DELTA = 32;

/** A text as a model streams it: deltas, at most 32. */
export function* deltas(text: string): Generator<ModelEvent> {
  for (const piece of pieces(text, Math.max(SHORTEST_DELTA, Math.ceil(text.length / MOST_DELTAS)))) {
    yield { type: 'delta', text: piece };
  }
}

export function message(text: string): ModelEvent {
  return { type: 'message', role: 'assistant', content: [{ type: 'text', text }] };
}
