import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CortexError, type ErrorJson, withContext } from '@cortexfs/abi/errors';
import { agentExec, runtimeTree } from '@cortexfs/abi/paths';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { closeOnExecFrom } from '@cortexfs/linux/close-on-exec';
import { loadDefinition } from '../definition/load.ts';
import { targetOf } from './alias.ts';
import { filesOf } from './files.ts';
import type { Role } from './instance.ts';
import { readReceipt } from './receipt-file.ts';
import type { StartOptions } from './start.ts';
import { readStatus } from './status-file.ts';

/** A cold machine loads node twice and builds a sandbox. */
const READY_MS = 30_000;
const LOOK_MS = 10;

/**
 * Starts one role as a detached session leader with a log file for its output and waits until it has published itself.
 * Its own error, sent on descriptor 3, is thrown here.
 */
export async function startRole(role: Role, options: StartOptions): Promise<LaunchReceipt> {
  const { child, report, release } = spawnRole(role, options);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const receipt = await Promise.race([published(role, options, child), exited]);
  if (receipt === undefined) {
    // It died, or it is too slow: either way nothing of it may stay.
    child.kill('SIGKILL');
    await exited;
    throw failureOf(await report, role, options);
  }
  release();
  child.unref();
  return receipt;
}

function spawnRole(role: Role, { site, name, session, workspace, program = OWN_PROGRAM }: StartOptions) {
  const tree = runtimeTree(site.runtime);
  const log = openLog(role === 'socket' ? tree.agentLog(name) : tree.terminalLog(name, session));
  closeOnExecFrom(3);
  const child = spawn(
    process.execPath,
    [
      ...program,
      role === 'socket' ? 'serve' : 'terminal',
      name,
      '--session',
      session,
      '--workspace',
      workspace,
      '--root',
      site.root,
      '--source',
      site.store,
      '--runtime',
      site.runtime,
      '--report-fd',
      '3',
    ],
    { detached: true, cwd: '/', stdio: ['ignore', log, log, 'pipe'] },
  );
  closeSync(log);
  const stream = child.stdio[3] as Readable;
  return { child, report: text(stream).catch(() => ''), release: () => stream.destroy() };
}

/** The program that this is: bundled the one file, in a test that calls `startAgent` itself the built bin. */
const OWN_PROGRAM: readonly string[] = [
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/agent-host.js' : '', import.meta.url)),
];

/** Readable too: what bubblewrap complains about is read back from it. */
function openLog(path: string): number {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  return openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
}

/** The receipt, once it is the child's own, its alias can be read, and for the socket host once it says `ready`. */
async function published(
  role: Role,
  options: StartOptions,
  child: ChildProcess,
): Promise<LaunchReceipt | undefined> {
  const { site, name, session } = options;
  const definition = loadDefinition(site.store, name);
  const files = filesOf({ site, definition, role, session });
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline; await delay(LOOK_MS)) {
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    const receipt = readReceipt(files.receipt);
    if (receipt === undefined || receipt.pid !== child.pid) continue;
    if (targetOf(`${site.root}/${files.alias}`) !== files.socket) continue;
    if (role === 'terminal' || readStatus(site.runtime, name) !== 'start') return receipt;
  }
  return undefined;
}

function failureOf(report: string, role: Role, { site, name, session }: StartOptions): CortexError {
  const tree = runtimeTree(site.runtime);
  const log = role === 'socket' ? tree.agentLog(name) : tree.terminalLog(name, session);
  const context = { path: agentExec(name), layer: 'runtime', hint: `see ${log}` } as const;
  if (report !== '') {
    const { code, message, ...rest } = (JSON.parse(report) as ErrorJson).error;
    return withContext(new CortexError(code, message, rest), context);
  }
  const what = role === 'socket' ? 'the socket host' : 'the terminal';
  return new CortexError('EHOSTDOWN', `${what} ended before it was ready`, context);
}
