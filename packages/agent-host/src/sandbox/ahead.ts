import { statSync } from 'node:fs';
import { join } from 'node:path';
import { agentExec } from '@cortexfs/abi/paths';
import { planSandbox } from './plan.ts';
import type { BeforeRelease, LaunchSandboxed, SandboxedProcess, SandboxSpec } from './spec.ts';

/** A process that waits on its standard input for what it was started for. */
interface Waiting {
  readonly owner: object;
  /** What it is to run, without regard to how the world looks. */
  readonly purpose: string;
  /** undefined when it could not be started: the real start tells why. */
  readonly started: Promise<SandboxedProcess | undefined>;
}

/**
 * The one process that a host may have started before it is needed (docs/run.md, "Started ahead"). It has got no input yet, and
 * is used only when the very same sandbox would be built for it now; else it is ended and a new one is started.
 */
export class Ahead {
  readonly #launch: LaunchSandboxed;
  #waiting: Waiting | undefined;

  constructor(launch: LaunchSandboxed) {
    this.#launch = launch;
  }

  /** Begins to start it for `owner`, unless one waits already. */
  prepare(owner: object, spec: SandboxSpec, beforeRelease: BeforeRelease): void {
    if (this.#waiting !== undefined) return;
    const started = this.#launch(spec, beforeRelease).catch(() => undefined);
    this.#waiting = { owner, purpose: purposeOf(spec), started };
  }

  /** The process that waits for this, if there is one, it still lives, and nothing about its sandbox would be different now. */
  async take(owner: object, spec: SandboxSpec): Promise<SandboxedProcess | undefined> {
    const waiting = this.#waiting;
    if (waiting?.owner !== owner || waiting.purpose !== purposeOf(spec)) return undefined;
    this.#waiting = undefined;
    const process = await waiting.started;
    if (process === undefined) return undefined;
    if (process.built === formatBuilt(spec, planSandbox(spec).steps) && (await isWaiting(process)))
      return process;
    await process.terminate();
    return undefined;
  }

  /** Ends the owner's, if one waits; every owner does so in the end. */
  async discard(owner: object): Promise<void> {
    const waiting = this.#waiting;
    if (waiting?.owner !== owner) return;
    this.#waiting = undefined;
    await (await waiting.started)?.terminate();
  }
}

function purposeOf({ argv, env, session, cwd }: SandboxSpec): string {
  return JSON.stringify([argv, env, session, cwd]);
}

/** All that a sandbox is made from: its plan, with the identity of what is shown in it, the definition, the agent's executable. */
export function formatBuilt({ definition, argv, store }: SandboxSpec, steps: unknown): string {
  const found = statSync(join(store, agentExec(definition.name)), { throwIfNoEntry: false, bigint: true });
  const executable = found && [found.dev, found.ino, found.mode, found.size, found.mtimeNs, found.ctimeNs];
  return JSON.stringify([argv, definition, steps, executable], (_, value) => {
    if (typeof value === 'bigint') return `${value}`;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}

async function isWaiting({ exited }: SandboxedProcess): Promise<boolean> {
  return Promise.race([
    exited.then(() => false),
    new Promise<true>((resolve) => setImmediate(resolve, true)),
  ]);
}
