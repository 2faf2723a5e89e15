import { wordControl } from './word.ts';

export type AgentStatus = 'start' | 'ready' | 'busy' | 'idle' | 'stopping' | 'dead';

/** `agent/NAME.d/status`: where the agent's instance stands (docs/controls.md). Written by its host only. */
export const status = wordControl(['start', 'ready', 'busy', 'idle', 'stopping', 'dead']);
