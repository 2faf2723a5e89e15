import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Signals that a terminal sends to everybody in the foreground: they reach the program directly. */
const LEFT_TO_THE_PROGRAM = ['SIGINT', 'SIGQUIT'] as const;
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;

export interface StandIn {
  readonly child: ChildProcess;
  /** The program's exit code, or 128 and the signal that ended it; rejects with Node's error when it cannot be started. */
  readonly ended: Promise<number>;
}

/**
 * Starts a program for which this process stands in until it has ended: what is signalled to this one is for the program.
 * From before it runs, for whoever sees its first output may already signal.
 */
export function standIn(program: string, args: readonly string[], options: SpawnOptions): StandIn {
  let child: ChildProcess | undefined;
  const ignore = () => {};
  const passOn = (signal: NodeJS.Signals) => void child?.kill(signal);
  for (const signal of LEFT_TO_THE_PROGRAM) process.on(signal, ignore);
  for (const signal of PASSED_ON) process.on(signal, passOn);
  const settle = () => {
    for (const signal of LEFT_TO_THE_PROGRAM) process.off(signal, ignore);
    for (const signal of PASSED_ON) process.off(signal, passOn);
  };
  try {
    child = spawn(program, args, options);
  } catch (error) {
    settle();
    throw error;
  }
  const started = child;
  const ended = new Promise<number>((resolve, reject) => {
    started.once('error', reject);
    started.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  }).finally(settle);
  return { child: started, ended };
}
