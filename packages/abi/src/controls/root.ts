import { pathControl } from './absolute-path.ts';

/** `agent/NAME.d/root`: The directory that the agent's processes are chrooted to (docs/controls.md). */
export const root = pathControl('root');
