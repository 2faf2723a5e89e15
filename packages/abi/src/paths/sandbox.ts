/** Where things are inside an agent's sandbox. See docs/paths.md. */
export const SANDBOX = {
  /** The agent's view of the mount. */
  root: '/ctx',
  workspace: '/workspace',
  home: '/home/agent',
  /** Kept read-only although the home around it is writable. */
  sessions: '/home/agent/session',
  runtime: '/run/cortexfs',
  controlSocket: '/run/cortexfs/control.sock',
  terminalSocketDir: '/run/cortexfs/terminal/socket',
  terminalSocket: '/run/cortexfs/terminal/socket/main.sock',
  terminalMeta: '/run/cortexfs/terminal/meta',
} as const;

/** The variables that an agent's terminal starts with; nothing else is in its environment. */
export const TERMINAL_ENVIRONMENT = [
  'CTX_ROOT',
  'CTX_HOME',
  'CTX_AGENT',
  'CTX_AGENT_SUBJECT',
  'CTX_PATH',
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'LANG',
] as const;

/** What an agent's executable gets besides. */
export const STEP_ENVIRONMENT = [
  'CTX_RUN_ID',
  'CTX_AGENT_STEP',
  'CTX_SESSION',
  'CTX_CONTROL_SOCKET',
  'CTX_CONTEXT_WINDOW_TOKENS',
  'CTX_CONTEXT_WINDOW_CHARS',
] as const;
