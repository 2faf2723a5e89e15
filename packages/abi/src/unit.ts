import type { ObjectName, SessionName } from './names.ts';

/** The systemd unit of an agent's socket host (docs/instances.md). */
export const agentUnit = (agent: ObjectName) => `cortexfs-agent-${agent}.service`;
/** The systemd unit of a session's terminal. */
export const terminalUnit = (agent: ObjectName, session: SessionName) =>
  `cortexfs-terminal-${agent}-${session}.service`;
