import type { ObjectName, SessionName } from './names.ts';

/** The systemd unit of an agent's socket host (docs/instances.md). */
export const agentUnit = (agent: ObjectName) => `cortexfs-agent-${escaped(agent)}.service`;

/** The systemd unit of a session's terminal. A `-` of the agent's name is escaped: the first that is not ends it. */
export const terminalUnit = (agent: ObjectName, session: SessionName) =>
  `cortexfs-terminal-${escaped(agent).replaceAll('-', hexadecimal)}-${escaped(session)}.service`;

/** As systemd-escape(1) does it; a `-` may stay. */
const escaped = (name: string) => name.replace(/[^A-Za-z0-9:_.-]/g, hexadecimal);
const hexadecimal = (char: string) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
