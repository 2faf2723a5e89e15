import { idControl } from './number.ts';

/** `agent/NAME.d/owner`: The Linux uid that owns the agent (docs/controls.md). */
export const owner = idControl('owner');
