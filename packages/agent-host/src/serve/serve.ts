import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentExec, runtimeTree } from '@cortexfs/abi/paths';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { peerCredentials } from '@cortexfs/linux/peer-credentials';
import { deploymentOf } from '@cortexfs/linux/place';
import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import { loadDefinition } from '../definition/load.ts';
import { holdInstance } from '../launch/hold.ts';
import type { ServeAgent, ServeOptions } from '../launch/instance.ts';
import { Ahead } from '../sandbox/ahead.ts';
import { Cgroups } from '../sandbox/cgroups.ts';
import { launchSandboxed } from '../sandbox/launch.ts';
import type { LaunchSandboxed } from '../sandbox/spec.ts';
import { readHookSet } from './hooks/hook-set.ts';
import type { HostContext } from './host-context.ts';
import { recordStart, recordStop } from './life-events.ts';
import { logLine } from './log-line.ts';
import { operations } from './operations/operations.ts';
import { RunningSessions } from './operations/running-sessions.ts';
import { ApprovalDesk } from './run/approval.ts';
import type { Session } from './session/session.ts';
import { Sessions } from './session/sessions.ts';
import { serveSocket } from './socket/server.ts';
import { StatusReport } from './status-report.ts';
import { untilStopped } from './stop-signal.ts';

/**
 * `agent-host serve NAME`: the socket runtime of one agent until it is told to stop (docs/host.md). What an earlier host
 * left unfinished is settled before the socket listens.
 */
export const serveAgent: ServeAgent = async (options) => {
  const { site, name, session, cwd } = options;
  const definition = loadDefinition(site.store, name);
  const { owner } = definition;
  const hold = await holdInstance({ ...options, definition, role: 'socket' });
  const stopped = untilStopped();
  const cgroups = Cgroups.open(name, 'host');
  let reason = 'it failed';
  try {
    const host = hostContext(options, owner, cgroups);
    prepareRuntime(host);
    const status = new StatusReport(host);
    const running = new RunningSessions(host, (busy) => status.write(busy ? 'busy' : 'idle'));
    const end = (ended: Session) => running.end(ended);
    const sessions = new Sessions({ store: site.store, agent: name, owner, end });
    const recovered = await sessions.recover(host.log);
    const home = await sessions.private.openOrCreate(session, cwd ?? definition.cwd);
    await recordStart(host, home, recovered);
    const server = await serveSocket({
      path: runtimeTree(site.runtime).agentSocket(name),
      // Root's own hosts serve the agents of others: there root may ask too.
      allowedUids: process.geteuid!() === 0 ? [owner, 0] : [owner],
      credentialsOf: peerCredentials,
      handle: operations({ host, sessions, running, stop: () => stopped.now('the stop request') }),
      refused: ({ uid, pid }) => host.log(`refused uid ${uid}, process ${pid}, on the agent's socket`),
    });
    await hold.publish();
    reason = await stopped.reason;
    status.write('stopping');
    await running.stop();
    await recordStop(host, home, reason);
    await server.close();
    await sessions.close();
    await status.close();
    return 0;
  } finally {
    await cgroups?.close();
    await hold.withdraw(reason);
  }
};

function hostContext(
  { site, name, workspace, cwd, mounts }: ServeOptions,
  owner: number,
  cgroups: Cgroups | undefined,
): HostContext {
  const { config } = deploymentOf(site.system === undefined ? 'user' : 'system');
  const log = (line: string) => logLine(`${new Date().toISOString()} ${agentExec(name)}: ${line}`);
  const launch = tellingNotes(cgroups?.around(launchSandboxed) ?? launchSandboxed, log);
  return {
    site,
    agent: name,
    workspace,
    cwd,
    mounts,
    config,
    launch,
    ahead: new Ahead(launch),
    approvals: new ApprovalDesk(),
    hooks: readHookSet(site.store, name, owner, log),
    log,
  };
}

/** What of the workspace is protected, and what not, is told once: every step builds the same sandbox again. */
function tellingNotes(launch: LaunchSandboxed, log: (line: string) => void): LaunchSandboxed {
  const told = new Set<string>();
  return async (spec, beforeRelease) => {
    const sandboxed = await launch(spec, beforeRelease);
    for (const note of sandboxed.notes.filter((note) => !told.has(note))) {
      // An agent can make any number of repositories, each with a name of its own.
      if (told.size < MAX_NOTES) log(`note: ${oneLine(note)}`);
      if (told.size <= MAX_NOTES) told.add(note);
    }
    return sandboxed;
  };
}

const MAX_NOTES = 100;

/** The directories of sockets; those of runs that an earlier host did not live to close are removed. */
function prepareRuntime({ site: { runtime }, agent }: HostContext): void {
  ensureRuntimeDir(runtime, 'agent');
  const runs = ensureRuntimeDir(runtime, 'run', agent);
  for (const run of readdirSync(runs)) rmSync(join(runs, run), { recursive: true, force: true });
}
