import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { closeOnExecFrom } from '@cortexfs/linux/close-on-exec';
import { formatArguments } from './arguments.ts';
import { openGate } from './gate.ts';
import type { SandboxPlan } from './plan.ts';
import { seccompFilter } from './seccomp/filter.ts';
import { setupOutput } from './setup-output.ts';
import type { SandboxExit, SandboxSpec } from './spec.ts';
import type { FileStep } from './step.ts';

/** bubblewrap building a sandbox whose program waits for `release`. */
export interface StartedBubblewrap {
  child: ChildProcess;
  /** What `--info-fd` says: it ends early when bubblewrap does. */
  info: Promise<string>;
  exited: Promise<SandboxExit>;
  /** What was written to standard error so far: by bubblewrap alone, as long as the program is held. */
  setupOutput(): string;
  release(): void;
  kill(): void;
}

/** Descriptors of bubblewrap beyond its three streams; all are closed again before the program starts. */
const ARGUMENTS = 3;
const SECCOMP = 4;
const INFO = 5;
const BLOCK = 6;
const SYNC = 7;
const FIRST_FILE = 8;

/**
 * Starts bubblewrap with an empty environment, for what it was started with can be read inside, and with its arguments
 * on a descriptor, for those can be read there too.
 */
export function startBubblewrap(bwrap: string, plan: SandboxPlan, spec: SandboxSpec): StartedBubblewrap {
  const files = plan.steps.filter((step): step is FileStep => step.kind === 'file');
  const words = formatArguments(plan.steps, (file) => FIRST_FILE + files.indexOf(file));
  const { uid, gid } = spec.definition;
  const gate = openGate();
  closeOnExecFrom(3);
  const output = spec.stdio === 'pipe' ? undefined : spec.stdio.log;
  const child = spawn(bwrap, commandLine(spec), {
    env: {},
    cwd: '/',
    stdio: [
      ...streams(output),
      'pipe',
      'pipe',
      'pipe',
      gate.inner,
      gate.outer,
      ...files.map(() => 'pipe' as const),
    ],
    ...(process.geteuid!() === 0 && uid !== 0 ? { uid, gid } : {}),
  });
  closeSync(gate.inner);
  const all: readonly unknown[] = child.stdio;
  const pipe = (fd: number) => all[fd] as Writable;
  const errors = setupOutput(child, output);
  send(pipe(ARGUMENTS), words);
  send(pipe(SECCOMP), seccompFilter());
  files.forEach((file, index) => {
    send(pipe(FIRST_FILE + index), Buffer.from(file.text));
  });
  return {
    child,
    info: readInfo(all[INFO] as Readable),
    exited: exitOf(child),
    setupOutput: errors.text,
    release() {
      errors.stop();
      gate.open();
    },
    kill() {
      child.kill('SIGKILL');
      gate.leave();
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}

const OPTIONS = Object.entries({
  '--args': ARGUMENTS,
  '--seccomp': SECCOMP,
  '--info-fd': INFO,
  '--block-fd': BLOCK,
  '--sync-fd': SYNC,
}).flatMap(([option, fd]) => [option, `${fd}`]);

/** How a bubblewrap of ours shows in /proc/PID/cmdline. */
export const HELD_COMMAND = `bwrap\0${OPTIONS.join('\0')}\0--\0`;

function commandLine({ argv }: SandboxSpec): string[] {
  return [...OPTIONS, '--', ...WITHOUT_PWD, ...argv];
}

/** bubblewrap sets PWD, which is on nobody's list. env takes the first word for the program only if it holds no `=`. */
const WITHOUT_PWD = ['/usr/bin/env', '-u', 'PWD'];

function streams(output: number | undefined): Exclude<StdioOptions, string> {
  return output === undefined ? ['pipe', 'pipe', 'pipe'] : ['ignore', output, output];
}

function send(pipe: Writable, bytes: Buffer): void {
  pipe.on('error', ignoreBrokenPipe);
  pipe.end(bytes);
}

/** bubblewrap ended: its exit and its message say why, not the pipe. */
function ignoreBrokenPipe(): void {}

async function readInfo(stream: Readable): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const part of stream) text += part;
  return text;
}

function exitOf(child: ChildProcess): Promise<SandboxExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
}
