import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fromNodeError } from '@cortexfs/abi/errors';
import { Capture } from './capture.ts';

/** Between SIGTERM and SIGKILL, and for the last output of a command that has ended. */
const GRACE_MS = 250;

export interface CommandResult {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly timed_out?: true;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Runs a command line in its own process group, which does not outlive it. `cwd` may be a held descriptor's path. */
export async function runCommand(cmd: string, cwd: string, timeoutMs: number): Promise<CommandResult> {
  const child = spawn('/bin/sh', ['-c', cmd], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const captures = [new Capture(child.stdout), new Capture(child.stderr)] as const;
  const closed = once(child, 'close').catch(() => {});
  const unhook = endWithUs(child);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void terminate(child);
  }, timeoutMs);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    killGroup(child, 'SIGKILL');
    // A process that left the group may hold the pipes open for ever.
    await Promise.race([closed, delay(GRACE_MS, undefined, { ref: false })]);
    const [stdout, stderr] = captures.map((capture) => capture.end());
    return {
      exit_code: code ?? 128 + constants.signals[signal!],
      stdout: stdout!.text,
      stderr: stderr!.text,
      truncated: stdout!.truncated || stderr!.truncated,
      ...(timedOut ? { timed_out: true as const } : {}),
    };
  } catch (err) {
    throw fromNodeError(err, { layer: 'tool' });
  } finally {
    clearTimeout(timer);
    unhook();
  }
}

async function terminate(child: Child): Promise<void> {
  killGroup(child, 'SIGTERM');
  await delay(GRACE_MS, undefined, { ref: false });
  if (child.exitCode === null && child.signalCode === null) killGroup(child, 'SIGKILL');
}

/** The leader is our child and not yet reaped, or just was: its number still names its group, if any is left. */
function killGroup({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ESRCH') throw err;
  }
}

/** A tool that is stopped takes its command along. */
function endWithUs(child: Child): () => void {
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  const stop = (signal: NodeJS.Signals) => {
    killGroup(child, 'SIGKILL');
    unhook();
    process.kill(process.pid, signal);
  };
  const unhook = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return unhook;
}
