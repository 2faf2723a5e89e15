import { type StdioOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { Shell } from '../shell.ts';
import type { Tool } from '../tool/tool.ts';
import { toolEnvironment } from './environment.ts';

/** Signals that the terminal sends to everybody in the foreground: the tool decides about them. */
const LEFT_TO_THE_TOOL = ['SIGINT', 'SIGQUIT'] as const;
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;

/** Runs a tool to its end with exactly these arguments. Returns its exit code, or 128 and the signal that ended it. */
export async function execute(
  shell: Shell,
  tool: Tool,
  args: readonly string[],
  stdio: StdioOptions = 'inherit',
): Promise<number> {
  return await ended(start(shell, tool, args, stdio));
}

export function start(shell: Shell, tool: Tool, args: readonly string[], stdio: StdioOptions) {
  return spawn(tool.file, [...args], { stdio, env: toolEnvironment(shell.env, shell.agent !== undefined) });
}

export function ended(child: ReturnType<typeof start>): Promise<number> {
  return new Promise((resolve, reject) => {
    const ignore = () => {};
    const passOn = (signal: NodeJS.Signals) => void child.kill(signal);
    const settle = () => {
      for (const signal of LEFT_TO_THE_TOOL) process.off(signal, ignore);
      for (const signal of PASSED_ON) process.off(signal, passOn);
    };
    for (const signal of LEFT_TO_THE_TOOL) process.on(signal, ignore);
    for (const signal of PASSED_ON) process.on(signal, passOn);
    child.once('error', (error) => {
      settle();
      reject(cannotStart(error, child.spawnfile));
    });
    child.once('close', (code, signal) => {
      settle();
      resolve(code ?? 128 + constants.signals[signal!]);
    });
  });
}

/** The file was there and executable a moment ago, so ENOENT speaks of its interpreter. */
function cannotStart(error: Error, file: string): CortexError {
  const failure = fromNodeError(error, { path: file, layer: 'tool' });
  if (failure.code !== 'ENOENT') return failure;
  return new CortexError('ENOENT', 'its interpreter is missing', {
    path: file,
    layer: 'tool',
    hint: 'ctx doctor',
  });
}
