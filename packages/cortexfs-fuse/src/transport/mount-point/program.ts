import { spawn } from 'node:child_process';
import { findHostProgram, type HostProgram } from '@cortexfs/linux/host-program';

export interface ProgramResult {
  readonly status: number | null;
  /** What it said on standard error, trimmed. */
  readonly stderr: string;
}

export interface ProgramOptions {
  /** The whole environment; empty unless given, which also makes messages English. */
  readonly env?: Record<string, string>;
  /** Becomes its descriptor 3. */
  readonly descriptor?: number;
}

/** Runs a host program by its arguments, never through a shell, and waits without blocking. */
export function runProgram(
  name: HostProgram,
  args: string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const path = findHostProgram(name);
  const child = spawn(path, args, {
    cwd: '/',
    env: options.env ?? {},
    stdio: ['ignore', 'ignore', 'pipe', ...(options.descriptor === undefined ? [] : [options.descriptor])],
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4096);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stderr: stderr.trim() }));
  });
}
