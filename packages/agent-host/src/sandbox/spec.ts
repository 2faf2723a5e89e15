import type { Readable, Writable } from 'node:stream';
import type { SessionName } from '@cortexfs/abi/names';
import type { AgentDefinition } from '../definition/definition.ts';
import type { RequestedMount } from './requested-mount.ts';

/** A host directory or file made visible in the sandbox, both absolute paths; set-uid bits and devices in it are dead. */
export interface Bind {
  source: string;
  target: string;
  mode: 'ro' | 'rw';
}

/** What one sandboxed process is to be (docs/sandbox.md). */
export interface SandboxSpec {
  definition: AgentDefinition;
  /** The mount's root; the sandbox's /ctx is the agent's view below it. */
  root: string;
  store: string;
  session: SessionName;
  /** Host directory that becomes /workspace, as far as the agent's policy lets it; null for none. */
  workspace: string | null;
  /** Beside or instead of lines of the `mount` control, each covered by one of them. */
  mounts?: readonly RequestedMount[] | undefined;
  /** Program and arguments, the program as a path inside the sandbox. */
  argv: readonly [string, ...string[]];
  /** Added to the allowlist; every name begins with `CTX_`. */
  env?: Readonly<Record<string, string>>;
  /** Mounted after everything else, below /run/cortexfs or over parts of /ctx. */
  binds?: readonly Bind[];
  /** Inside the sandbox; the definition's `cwd` unless given. */
  cwd?: string | undefined;
  stdio: SandboxStdio;
}

/** `pipe` gives three streams to the launcher; a descriptor takes the place of both outputs, with no input. */
export type SandboxStdio = 'pipe' | { log: number };

/** A process of the host, safe against pid reuse. */
export interface LaunchRoot {
  pid: number;
  /** Clock ticks since boot, as in /proc/PID/stat. */
  startTime: number;
}

/** The first process in the sandbox's pid namespace: everything in the sandbox descends from it and dies with it. */
export interface SandboxedProcess extends LaunchRoot {
  stdin: Writable | null;
  stdout: Readable | null;
  /** Paused, so that nothing is lost: who reads it has to resume it, or the program waits once the pipe is full. */
  stderr: Readable | null;
  exited: Promise<SandboxExit>;
  /** SIGTERM to the group, after 250 ms SIGKILL to all. Resolves when nothing is left; may be called again. */
  terminate(): Promise<SandboxExit>;
  /** What of the workspace's protection the owner should know: repositories found, a search that was cut short. */
  notes: readonly string[];
  /** What it was built from: equal texts are equal sandboxes. */
  built: string;
}

/** How the program ended: its exit code (128 + signal for a signal), and the signal when the sandbox itself was killed. */
export interface SandboxExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Runs while the process is held: only when it resolves does the program start. */
export type BeforeRelease = (root: LaunchRoot) => Promise<void> | void;

/** `launchSandboxed` of ./launch.ts. EPERM, ENOENT, EINVAL… with a hint when no sandbox can be built; never anything weaker. */
export type LaunchSandboxed = (spec: SandboxSpec, beforeRelease: BeforeRelease) => Promise<SandboxedProcess>;
