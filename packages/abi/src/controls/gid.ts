import { idControl } from './number.ts';

/** `agent/NAME.d/gid`: The gid its processes run with (docs/controls.md). */
export const gid = idControl('gid');
