import { parseAbsolutePath } from '@cortexfs/abi/controls/absolute-path';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';
import { agentExec, SANDBOX } from '@cortexfs/abi/paths';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { formatRequestedMount, type RequestedMount } from '../sandbox/requested-mount.ts';

/** What a start may choose for what it starts, within what the agent's controls allow (docs/instances.md). */
export interface LaunchChoice {
  /** Where its processes begin, as the agent sees it; else the control `cwd` says. */
  cwd?: string | undefined;
  mounts?: readonly RequestedMount[] | undefined;
  /** What tsh runs in the terminal instead of being the agent's shell. */
  command?: readonly string[] | undefined;
}

/** As a receipt has it: only what was chosen, so that two can be compared. A socket host has no command. */
export function recordedChoice(
  role: LaunchReceipt['role'],
  { cwd, mounts = [], command = [] }: LaunchChoice,
): Pick<LaunchReceipt, 'cwd' | 'mounts' | 'command'> {
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(mounts.length === 0 ? {} : { mounts: mounts.map(formatRequestedMount) }),
    ...(command.length === 0 || role === 'socket' ? {} : { command: [...command] }),
  };
}

/** The same choice as options of a role's process. */
export function choiceArguments({ cwd, mounts = [] }: LaunchChoice): string[] {
  return [
    ...(cwd === undefined ? [] : ['--cwd', cwd]),
    ...mounts.flatMap((mount) => ['--mount', formatRequestedMount(mount)]),
  ];
}

/** COMMAND, which comes last. */
export function commandArguments(role: LaunchReceipt['role'], { command = [] }: LaunchChoice): string[] {
  return command.length === 0 || role === 'socket' ? [] : ['--', ...command];
}

/** EINVAL for anything but an absolute path in its only spelling. */
export function parseStartDirectory(text: string): string {
  try {
    return parseAbsolutePath(text, '--cwd');
  } catch (error) {
    throw withContext(fromNodeError(error), { hint: 'as the agent sees it, such as --cwd /workspace/src' });
  }
}

/** tsh finds it by name, and nothing that begins with `-` is one. EINVAL. */
export function requireCommand(command: readonly string[]): void {
  const [word] = command;
  if (word === undefined || /^[^-/\s][^/\s]*$/.test(word)) return;
  throw new CortexError('EINVAL', `${JSON.stringify(word)} cannot be the name of a tool`, {
    hint: 'after -- comes a tool that the agent may run, such as: -- bash -l',
  });
}

/**
 * All instances of an agent see the same mounts, and the terminal of a session is the one that was asked for. EBUSY for
 * what runs with another choice.
 */
export function requireSameChoice(
  running: readonly LaunchReceipt[],
  { name, session, ...choice }: LaunchChoice & { name: LaunchReceipt['agent']; session: string },
): void {
  for (const one of running) {
    const wanted = recordedChoice(one.role, choice);
    const here = one.role === 'terminal' && one.session === session;
    const differing = (here ? (['mounts', 'cwd', 'command'] as const) : (['mounts'] as const)).find(
      (key) => JSON.stringify(one[key]) !== JSON.stringify(wanted[key]),
    );
    if (differing === undefined) continue;
    const had = one[differing];
    const shown = had === undefined ? 'none' : Array.isArray(had) ? had.join(' ') : had;
    throw new CortexError('EBUSY', `already runs with another ${LABEL[differing]}: ${shown}`, {
      path: agentExec(name),
      layer: 'runtime',
      hint: `start it as it was started, or ctx agent stop ${name}`,
    });
  }
}

const LABEL = { mounts: '--mount', cwd: '--cwd', command: 'COMMAND' } as const;

/** A start that asks for a directory below a workspace that is not shown would silently begin elsewhere. */
export function requireVisible(cwd: string | undefined, workspaceShown: boolean): void {
  if (cwd === undefined || workspaceShown) return;
  if (cwd !== SANDBOX.workspace && !cwd.startsWith(`${SANDBOX.workspace}/`)) return;
  throw new CortexError('ENOENT', 'the agent sees no workspace', {
    path: cwd,
    layer: 'mount',
    hint: `leave out --no-default-workspace, and grant mount:workspace in the agent's policy`,
  });
}
