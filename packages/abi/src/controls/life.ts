import { wordControl } from './word.ts';

export type Life = 'owned' | 'temp';

/** `agent/NAME.d/life`: whether the definition stays after the agent's end (docs/controls.md). */
export const life = wordControl(['owned', 'temp']);
