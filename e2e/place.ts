import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { guardFolder } from './guard.ts';
import { mountsBelow, processesNaming } from './leftovers.ts';

/** The checkout under test; its bins are built. */
export const checkout = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** Sent after that many milliseconds. */
  readonly kill?: { readonly after: number; readonly signal: NodeJS.Signals };
  /** The signal that it resolves to is sent. */
  readonly signal?: Promise<NodeJS.Signals>;
}

/** Runs a program to its end and keeps what it printed. */
export function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input = '', kill, signal: sent, ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...rest, stdio: 'pipe' });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    if (kill) setTimeout(() => child.kill(kill.signal), kill.after);
    sent?.then((name) => child.kill(name), reject);
  });
}

/** One whole installation for one test file: store, runtime, mount and workspace below a short temporary directory. */
export class Place {
  readonly folder: string;
  readonly workspace: string;
  readonly store: string;
  readonly runtime: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;

  constructor() {
    this.folder = mkdtempSync('/tmp/cfs-');
    guardFolder(this.folder);
    this.workspace = `${this.folder}/workspace`;
    this.store = `${this.folder}/data/cortexfs/store`;
    this.runtime = `${this.folder}/run/cortexfs`;
    this.root = `${this.runtime}/ctx`;
    this.env = {
      PATH: '/usr/bin:/bin',
      HOME: this.folder,
      XDG_DATA_HOME: `${this.folder}/data`,
      XDG_RUNTIME_DIR: `${this.folder}/run`,
      XDG_CONFIG_HOME: `${this.folder}/config`,
    };
    for (const part of ['workspace', 'run']) mkdirSync(`${this.folder}/${part}`, { mode: 0o700 });
  }

  /** Runs the built ctx. */
  ctx(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const env = { ...this.env, ...options.env };
    return run(process.execPath, [`${checkout}/dist/bin/ctx`, ...args], {
      cwd: this.workspace,
      ...options,
      env,
    });
  }

  /** Runs the built ctx and ends the test unless it exits 0. */
  async must(t: Test, args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, out, err } = await this.ctx(args, options);
    if (code === 0) return out;
    t.comment(out, err);
    throw new Error(`ctx ${args.join(' ')} exited ${code}: ${err}`);
  }

  /** Takes everything back: agents, mount, files; by force what does not go by itself, as after a test that failed. */
  async remove(): Promise<void> {
    await this.ctx(['agent', 'stop', '--all']);
    await this.ctx(['umount']);
    for (const pid of processesNaming(this.folder)) process.kill(pid, 'SIGKILL');
    for (const point of mountsBelow(this.folder)) await run('/bin/umount', ['-l', point]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A place with the reference tree mounted; taken back when the test ends, however it ends. */
export async function mountedPlace(t: Test): Promise<Place> {
  const place = new Place();
  t.teardown(() => place.remove());
  await place.must(t, ['bootstrap', '--quiet']);
  await place.must(t, ['mount', '--quiet']);
  return place;
}

/** A mounted place with `coder` running on its workspace. */
export async function runningPlace(t: Test): Promise<Place> {
  const place = await mountedPlace(t);
  await place.must(t, ['agent', 'start', 'coder', '--workspace', place.workspace]);
  return place;
}

/** A mounted place with `coder` running, who may run commands. */
export async function shellPlace(t: Test): Promise<Place> {
  const place = await mountedPlace(t);
  for (const [control, line] of [
    ['agent/coder.d/policy', 'allow coder_t tool:shell.exec execute'],
    ['agent/coder.d/tools', 'shell.exec'],
  ] as const)
    await place.must(t, ['append', control, line]);
  await place.must(t, ['agent', 'start', 'coder']);
  return place;
}
