import { idControl } from './number.ts';

/** `agent/NAME.d/uid`: The uid its processes run with; the owner's by default (docs/controls.md). */
export const uid = idControl('uid');
