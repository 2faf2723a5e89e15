import { wordControl } from './word.ts';

export type Isolation = 'shared' | 'uid' | 'userns';

/** `agent/NAME.d/iso`: how the agent's Linux identity is set apart from its owner's (docs/controls.md). */
export const iso = wordControl(['shared', 'uid', 'userns']);
