import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { modelEnvironment } from '@cortexfs/abi/model-environment';

const GRACE_MS = 250;

export interface ModelProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
  /** SIGTERM to its group, after 250 ms SIGKILL. */
  end(): Promise<void>;
}

/** Runs a model object through the store's own runner, outside any sandbox: keys and network are the host's. */
export function startModel(
  runner: string,
  model: string,
  root: string,
  run: string,
  input: string,
): ModelProcess {
  const child = spawn(runner, [model], {
    cwd: '/',
    env: modelEnvironment(process.env, { CTX_ROOT: root, CTX_RUN_ID: run }),
    // A group of its own, so that nothing that it starts outlives the request.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return { child, exited, end: () => end(child, exited) };
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.pid === undefined) return;
  signalGroup(child.pid, 'SIGTERM');
  const graceful = await Promise.race([exited.then(() => true), delay(GRACE_MS, false, { ref: false })]);
  if (!graceful) signalGroup(child.pid, 'SIGKILL');
  await exited;
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
