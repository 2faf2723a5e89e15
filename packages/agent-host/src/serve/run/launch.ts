import type { BeforeRelease, SandboxedProcess } from '../../sandbox/spec.ts';

/** One process of a run: what differs between its steps and tools; the sandbox around it is the run's. */
export interface ProcessRequest {
  /** Program and arguments, the program as a path inside the sandbox. */
  readonly argv: readonly [string, ...string[]];
  /** Added to the allowlist. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Starts one sandboxed process. `beforeRelease` runs while it is held, after its pid and start time are known. */
export type Launch = (request: ProcessRequest, beforeRelease?: BeforeRelease) => Promise<SandboxedProcess>;
