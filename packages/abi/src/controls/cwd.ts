import { pathControl } from './absolute-path.ts';

/** `agent/NAME.d/cwd`: The directory they start in, as the agent sees it (docs/controls.md). */
export const cwd = pathControl('cwd');
