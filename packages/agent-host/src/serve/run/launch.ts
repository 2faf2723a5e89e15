import type { BeforeRelease, SandboxedProcess } from '../../sandbox/spec.ts';

/** One process of a run: what differs between its steps and tools; the sandbox around it is the run's. */
export interface ProcessRequest {
  /** Program and arguments, the program as a path inside the sandbox. */
  readonly argv: readonly [string, ...string[]];
  /** Added to the allowlist. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Starts one sandboxed process, or takes the one that was started ahead for it. `beforeRelease` runs while it is held, after its pid and start time are known. */
export type Launch = (request: ProcessRequest, beforeRelease?: BeforeRelease) => Promise<SandboxedProcess>;

/** What starts the processes of a run. */
export interface RunLauncher {
  readonly launch: Launch;
  /** Begins to start a process that will probably be asked for next; it waits for its input. */
  ahead(request: ProcessRequest): void;
  /** The process that was started so, when it is as good as a new one. */
  taken(request: ProcessRequest): Promise<SandboxedProcess | undefined>;
}
