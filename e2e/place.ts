import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

export const checkout = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** One whole installation for one test: its store, runtime, mount and workspace below a short temporary directory. */
export interface Place {
  readonly folder: string;
  readonly store: string;
  readonly runtime: string;
  readonly root: string;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs the built ctx. */
  ctx(args: readonly string[], options?: RunOptions): Promise<Ended>;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}
