import { wordControl } from '../word.ts';

export type ModelSession = 'none' | 'socket';

/** `model/P/M.d/session`: whether `M.sock` exists beside the model (docs/controls.md). */
export const session = wordControl(['none', 'socket']);
