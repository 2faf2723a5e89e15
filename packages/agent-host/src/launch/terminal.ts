import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CortexError } from '@cortexfs/abi/errors';
import {
  agentExec,
  checkSocketPath,
  runtimeTree,
  SANDBOX,
  sessionDir,
  terminalId,
  terminalMeta,
} from '@cortexfs/abi/paths';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import { loadDefinition } from '../definition/load.ts';
import { Cgroups } from '../sandbox/cgroups.ts';
import { makeDirectories } from '../sandbox/home.ts';
import { launchSandboxed } from '../sandbox/launch.ts';
import type { SandboxExit, SandboxedProcess } from '../sandbox/spec.ts';
import { listens } from '../supervisor/listening.ts';
import { clearDirectory } from './clear-directory.ts';
import { holdInstance } from './hold.ts';
import type { ServeOptions } from './instance.ts';

/**
 * The terminal role: a process that keeps one sandbox with `ctxterm` and `tsh` in it, and ends with it. SIGTERM ends
 * both. Its standard error is where the sandbox's output goes. The answer is the exit code of `ctxterm`.
 */
export async function keepTerminal(options: ServeOptions): Promise<number> {
  const { site, name, session, workspace, cwd, mounts, command } = options;
  const definition = loadDefinition(site.store, name);
  const socket = checkSocketPath(runtimeTree(site.runtime).terminalSocket(name, session));
  const hold = await holdInstance({ ...options, definition, role: 'terminal' });
  const cgroups = Cgroups.open(name, 'terminal');
  let reason = 'ended by itself';
  try {
    const socketDir = ensureRuntimeDir(site.runtime, 'terminal', name, session);
    clearDirectory(socketDir);
    const meta = terminalMeta(sessionDir(definition.owner, name, session), terminalId(name, session));
    makeDirectories(site.store, meta);
    const launch = cgroups === undefined ? launchSandboxed : cgroups.around(launchSandboxed);
    const sandboxed = await launch(
      {
        definition,
        root: site.root,
        store: site.store,
        session,
        workspace,
        mounts,
        cwd,
        argv: terminalProgram(name, session, command),
        binds: [
          { source: socketDir, target: SANDBOX.terminalSocketDir, mode: 'rw' },
          { source: join(site.store, meta), target: SANDBOX.terminalMeta, mode: 'rw' },
        ],
        stdio: { log: 2 },
      },
      () => {},
    );
    for (const note of sandboxed.notes) process.stderr.write(`note: ${oneLine(note)}\n`);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        reason = `stopped by ${signal}`;
        void sandboxed.terminate();
      });
    }
    await publishWhenListening(sandboxed, socket, () => hold.publish(), name);
    return (await sandboxed.exited).code ?? 1;
  } finally {
    await cgroups?.close();
    clearDirectory(dirname(socket));
    await hold.withdraw(reason);
  }
}

/** COMMAND is a tool that tsh finds and decides about, like any that is typed into it. */
function terminalProgram(
  agent: string,
  session: string,
  command: readonly string[] = [],
): [string, ...string[]] {
  const { root, terminalSocket, terminalMeta: records } = SANDBOX;
  const whose = ['--agent', agent, '--session', session];
  return [
    `${root}/bin/ctxterm`,
    ...['--listen', terminalSocket, '--meta', records],
    ...whose,
    '--',
    `${root}/bin/tsh`,
    ...command,
  ];
}

const LISTEN_MS = 20_000;
const LOOK_MS = 10;

async function publishWhenListening(
  sandboxed: SandboxedProcess,
  socket: string,
  publish: () => Promise<void>,
  name: ServeOptions['name'],
): Promise<void> {
  let ended: SandboxExit | undefined;
  void sandboxed.exited.then((exit) => {
    ended = exit;
  });
  try {
    for (const deadline = performance.now() + LISTEN_MS; !(await answers(socket)); await delay(LOOK_MS)) {
      if (ended !== undefined) {
        const how = ended.signal ?? `exit code ${ended.code}`;
        const why = `the terminal ended before it listened, with ${how}`;
        throw new CortexError('EHOSTDOWN', why, context(name));
      }
      if (performance.now() > deadline)
        throw new CortexError('ETIMEDOUT', 'the terminal does not listen', context(name));
    }
    await publish();
  } catch (error) {
    await sandboxed.terminate();
    throw error;
  }
}

function context(name: ServeOptions['name']) {
  return { path: agentExec(name), layer: 'terminal' } as const;
}

/** A socket of our own that somebody listens on. What stands there was put there by the sandbox: no link is followed. */
async function answers(socket: string): Promise<boolean> {
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (!found?.isSocket()) return false;
  return await listens(socket);
}
