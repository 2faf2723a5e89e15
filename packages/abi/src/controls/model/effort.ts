import { wordControl } from '../word.ts';

export type Effort = 'auto' | 'low' | 'medium' | 'high' | 'xhigh';

/** `model/P/M.d/effort`: how much the model reasons (docs/controls.md). */
export const effort = wordControl(['auto', 'low', 'medium', 'high', 'xhigh']);
