import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fromNodeError } from '@cortexfs/abi/errors';

/** Signals of a terminal: they reach the program directly, this process only waits. */
const fromTerminal = ['SIGINT', 'SIGQUIT'] as const;
const passedOn = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Gives standard input, output and error to another program, as exec would, and resolves to its exit code
 * (128 + signal when one ended it).
 */
export async function takeOver(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of fromTerminal) process.on(signal, () => {});
  for (const signal of passedOn) process.on(signal, () => child.kill(signal));
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal!];
  } catch (err) {
    throw fromNodeError(err, { path: program });
  }
}
