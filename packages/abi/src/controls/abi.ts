import { wordControl } from './word.ts';

/** `agent/NAME.d/abi`: how the executable is called; required, canonical text only (docs/controls.md). */
export const abi = wordControl(['sdk-envelope-v1'], 'canonical');
