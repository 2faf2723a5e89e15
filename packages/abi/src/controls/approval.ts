import { wordControl } from './word.ts';

export type Approval = 'auto' | 'ask';

/** An agent without the control runs its permitted calls unasked. */
export const DEFAULT_APPROVAL: Approval = 'auto';

/** `agent/NAME.d/approval`: whether each direct call waits for a human; canonical text only (docs/controls.md). */
export const approval = wordControl(['auto', 'ask'], 'canonical');
