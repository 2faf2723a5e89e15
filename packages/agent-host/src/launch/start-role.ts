import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CortexError, type ErrorJson, fromNodeError, withContext } from '@cortexfs/abi/errors';
import { agentExec, runtimeTree } from '@cortexfs/abi/paths';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { agentUnit, terminalUnit } from '@cortexfs/abi/unit';
import { loadDefinition } from '../definition/load.ts';
import { startDirectly } from '../supervisor/direct.ts';
import type { RoleProcess } from '../supervisor/role-process.ts';
import { startUnit } from '../supervisor/unit.ts';
import { targetOf } from './alias.ts';
import { choiceArguments, commandArguments } from './choice.ts';
import { filesOf } from './files.ts';
import type { Role } from './instance.ts';
import { readReceipt } from './receipt-file.ts';
import type { StartOptions } from './start.ts';
import { readStatus } from './status-file.ts';

/** A cold machine loads node twice and builds a sandbox. */
const READY_MS = 30_000;
const LOOK_MS = 10;

/**
 * Starts one role under a supervisor, with a log file for its output, and waits until it has published itself. The error
 * that it reported itself is thrown here.
 */
export async function startRole(role: Role, options: StartOptions): Promise<LaunchReceipt> {
  const process = await launch(role, options).catch((error) => {
    throw withContext(fromNodeError(error), { path: agentExec(options.name) });
  });
  const receipt = await published(role, options, process);
  if (receipt === undefined) {
    // It died, or it is too slow: either way nothing of it may stay.
    await process.kill();
    throw failureOf(await process.report(), role, options);
  }
  process.release();
  return receipt;
}

async function launch(role: Role, options: StartOptions): Promise<RoleProcess> {
  const { name, session, supervisor } = options;
  const command = {
    argv: roleArguments(role, options),
    command: commandArguments(role, options),
    log: logOf(role, options),
  };
  if (supervisor !== 'systemd') return startDirectly(command);
  return startUnit(role === 'socket' ? agentUnit(name) : terminalUnit(name, session), command);
}

function roleArguments(role: Role, options: StartOptions) {
  const { site, name, session, workspace, program = OWN_PROGRAM } = options;
  return [
    ...HOST_FLAGS,
    ...program,
    ...[role === 'socket' ? 'serve' : 'terminal', name, '--session', session],
    ...(workspace === null ? ['--no-default-workspace'] : ['--workspace', workspace]),
    ...['--root', site.root, '--source', site.store, '--runtime', site.runtime],
    ...choiceArguments(options),
  ];
}

/** What streams by is young garbage: a small nursery keeps a host small. In MiB. */
export const HOST_FLAGS: readonly string[] = ['--max-semi-space-size=4'];

/** The program that this is: bundled the one file, in a test that calls `startAgent` itself the built bin. */
const OWN_PROGRAM: readonly string[] = [
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/agent-host.js' : '', import.meta.url)),
];

/** The receipt, once it is the child's own, its alias can be read, and for the socket host once it says `ready`. */
async function published(
  role: Role,
  options: StartOptions,
  process: RoleProcess,
): Promise<LaunchReceipt | undefined> {
  const { site, name, session } = options;
  const definition = loadDefinition(site.store, name);
  const files = filesOf({ site, definition, role, session });
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline; await delay(LOOK_MS)) {
    if (process.ended()) return undefined;
    const receipt = readReceipt(files.receipt);
    if (receipt === undefined || receipt.pid !== process.pid) continue;
    if (targetOf(`${site.root}/${files.alias}`) !== files.socket) continue;
    if (role === 'terminal' || readStatus(site.runtime, name) !== 'start') return receipt;
  }
  return undefined;
}

function failureOf(report: string, role: Role, options: StartOptions): CortexError {
  const context = {
    path: agentExec(options.name),
    layer: 'runtime',
    hint: `see ${logOf(role, options)}`,
  } as const;
  if (report !== '') {
    const { code, message, ...rest } = (JSON.parse(report) as ErrorJson).error;
    return withContext(new CortexError(code, message, rest), context);
  }
  const what = role === 'socket' ? 'the socket host' : 'the terminal';
  return new CortexError('EHOSTDOWN', `${what} ended before it was ready`, context);
}

function logOf(role: Role, { site, name, session }: StartOptions): string {
  const tree = runtimeTree(site.runtime);
  return role === 'socket' ? tree.agentLog(name) : tree.terminalLog(name, session);
}
