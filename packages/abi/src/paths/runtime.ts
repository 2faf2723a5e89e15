import type { ObjectName, RunId, SessionName } from '../names.ts';

/** The tree of what runs now, as absolute paths below a runtime directory. See docs/paths.md. */
export function runtimeTree(runtime: string) {
  return {
    mountReceipt: `${runtime}/mount.json`,
    logDir: `${runtime}/log`,
    mountLog: `${runtime}/log/mount.log`,
    agentLog: (agent: ObjectName) => `${runtime}/log/agent-${agent}.log`,
    terminalLog: (agent: ObjectName, session: SessionName) =>
      `${runtime}/log/terminal-${agent}:${session}.log`,
    /** What the mount had to say about an object; an agent's host writes to the same file. */
    objectLog: (objectClass: 'agent' | 'model' | 'tool', name: string) =>
      `${runtime}/log/${objectClass}-${name.replace('/', ':')}.log`,
    /** Real sockets, mode 0600; the ABI paths are symbolic links to them. */
    agentSocketDir: `${runtime}/agent`,
    agentSocket: (agent: ObjectName) => `${runtime}/agent/${agent}.sock`,
    /** Holds the socket and nothing else: it is bound into the sandbox. */
    terminalSocketDir: (agent: ObjectName, session: SessionName) => `${runtime}/terminal/${agent}/${session}`,
    terminalSocket: (agent: ObjectName, session: SessionName) =>
      `${runtime}/terminal/${agent}/${session}/main.sock`,
    launchRoot: `${runtime}/launch`,
    launchDir: (agent: ObjectName) => `${runtime}/launch/${agent}`,
    socketReceipt: (agent: ObjectName) => `${runtime}/launch/${agent}/socket.json`,
    terminalReceipt: (agent: ObjectName, session: SessionName) =>
      `${runtime}/launch/${agent}/terminal-${session}.json`,
    agentStatus: (agent: ObjectName) => `${runtime}/launch/${agent}/status`,
    cleanupReceipt: (agent: ObjectName) => `${runtime}/launch/${agent}/cleanup.json`,
    /** Bound to /run/cortexfs in the run's sandbox. */
    runDir: (agent: ObjectName, run: RunId) => `${runtime}/run/${agent}/${run}`,
    controlSocket: (agent: ObjectName, run: RunId) => `${runtime}/run/${agent}/${run}/control.sock`,
  } as const;
}

export type RuntimeTree = ReturnType<typeof runtimeTree>;
