import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { Test } from 'tap';
import { publish } from '../../../fixture/published.ts';
import type { TestUser } from './user.ts';

const built = publish(build);

/** A memory file system mounted at `root` by a process of its own. */
export class Daemon {
  readonly process: ChildProcess;
  readonly #lines: string[] = [];
  #wanted: ((line: string) => void) | undefined;

  constructor(root: string, options: object = {}, user?: TestUser) {
    // `env -i`: the test runner puts its own loader into the environment of every process.
    const script = join(built, 'memory-daemon.js');
    const command = ['env', '-i', process.execPath, script, root, JSON.stringify(options)];
    const [program = '', ...args] = user ? user.command(command) : command;
    this.process = spawn(program, args, { cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.stdin?.on('error', () => {});
    createInterface(this.process.stdout!).on('line', (line) => {
      if (this.#wanted) this.#wanted(line);
      else this.#lines.push(line);
      this.#wanted = undefined;
    });
    this.process.once('close', () => this.#wanted?.('(it ended without a word)'));
  }

  /** The next line that it says. */
  line(): Promise<string> {
    const line = this.#lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    return new Promise((resolve) => {
      this.#wanted = resolve;
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  get exited(): Promise<void> {
    const { exitCode, signalCode } = this.process;
    if (exitCode !== null || signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => this.process.once('exit', () => resolve()));
  }
}

/** An empty directory to mount at; whatever is mounted there goes with the test. */
export function mountPoint(t: Test, user?: TestUser): string {
  const root = mkdtempSync('/tmp/kernel-mount-');
  chmodSync(root, 0o755);
  if (user) chownSync(root, user.uid, user.gid);
  t.teardown(() => {
    while (spawnSync('umount', ['-l', root]).status === 0);
    rmSync(root, { recursive: true, force: true });
  });
  return root;
}

/** Starts a daemon and waits until it serves. */
export async function mounted(t: Test, root: string, options: object = {}, user?: TestUser): Promise<Daemon> {
  const daemon = new Daemon(root, options, user);
  t.teardown(async () => {
    daemon.signal('SIGKILL');
    await daemon.exited;
  });
  const line = await daemon.line();
  if (line !== 'ready') throw new Error(`the daemon said: ${line}`);
  return daemon;
}

/** Plain JavaScript, as in the published package: worker threads do not inherit the loader that runs the tests. */
function build(outdir: string): void {
  const source = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  buildSync({
    entryPoints: [source('./memory-daemon.ts'), source('./memory-worker.ts')],
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['koffi'],
  });
}
