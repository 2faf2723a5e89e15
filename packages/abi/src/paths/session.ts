import type { ObjectName, SessionName, SpaceName } from '../names.ts';

/** The directory of all private sessions of an agent, relative to the root. */
export const privateSessions = (uid: number, agent: ObjectName) => `home/${uid}/agent/${agent}/session`;
/** The directory of all sessions of an agent in a shared space. */
export const sharedSessions = (space: SpaceName, agent: ObjectName) =>
  `shared/${space}/agent/${agent}/session`;

/** One private session. */
export const sessionDir = (uid: number, agent: ObjectName, session: SessionName) =>
  `${privateSessions(uid, agent)}/${session}`;
export const sharedSessionDir = (space: SpaceName, agent: ObjectName, session: SessionName) =>
  `${sharedSessions(space, agent)}/${session}`;

/** The files of a session directory. See docs/sessions.md. */
export const SESSION_FILES = {
  messages: 'messages.jsonl',
  events: 'events.jsonl',
  latest: 'latest.md',
  state: 'state',
  cwd: 'cwd',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  meta: 'meta.json',
  agents: 'AGENTS.md',
  skills: 'SKILLS.md',
} as const;

/** A file of a session directory, whatever that directory is relative to. */
export const sessionFile = (session: string, file: keyof typeof SESSION_FILES) =>
  `${session}/${SESSION_FILES[file]}`;
export const sessionContext = (session: string) => `${session}/context`;

/** The index beside the sessions: `sessions` is the directory that holds them. */
export const sessionList = (sessions: string) => `${sessions}/index/list`;
export const currentSession = (sessions: string) => `${sessions}/index/current`;
/** `sha256` is the hexadecimal digest of the working directory's path. */
export const sessionByCwd = (sessions: string, sha256: string) => `${sessions}/index/by-cwd/${sha256}`;

/** The terminals of a session directory. */
export const terminalDir = (session: string) => `${session}/terminal`;
/** The symbolic link to the terminal's runtime socket. */
export const terminalAlias = (session: string) => `${session}/terminal/main.sock`;
export const terminalId = (agent: ObjectName, session: SessionName) => `terminal-${agent}-${session}`;
/** The records of one terminal. */
export const terminalMeta = (session: string, terminal: string) => `${session}/terminal/${terminal}`;

/** The files of a terminal's record directory. See docs/sessions.md. */
export const TERMINAL_FILES = {
  meta: 'meta.json',
  state: 'state',
  status: 'status',
  owner: 'owner',
  cwd: 'cwd',
  events: 'events.jsonl',
} as const;
