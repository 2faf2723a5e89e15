import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineAgents } from './agents.ts';

const daemon = new URL('../../../packages/cortexfs-fuse/dist/cortexfs-fuse.js', import.meta.url).pathname;
const noOp = new URL('./no-op.ts', import.meta.url).pathname;

/** What is at `home/UID/bench` in the store. */
export const HOME_FILES = 500;

/** A store with a mount of it, in a temporary directory. */
export interface Place {
  readonly store: string;
  readonly root: string;
  readonly process: ChildProcess;
  close(): Promise<void>;
}

export async function mountStore(agents: number, flags: readonly string[] = []): Promise<Place> {
  const base = mkdtempSync('/tmp/cfs-bench-');
  const [store, root, runtime] = ['store', 'ctx', 'run'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [root, 'agent', 'bin', 'model', 'tool', 'shared', files()])
    mkdirSync(join(directory === root ? '' : store, directory), { recursive: true });
  mkdirSync(runtime, { mode: 0o700 });
  defineAgents(store, 0, agents);
  for (let i = 0; i < HOME_FILES; i++) writeFileSync(join(store, files(), `f${i}`), Buffer.alloc(4096, 'x'));
  const args = ['--source', store, '--mount', root, '--runtime', runtime, '--runner', '/bin/true'];
  const child = spawn(process.execPath, [...flags, daemon, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return await open(base, store, root, child, () => existsSync(join(runtime, 'mount.json')));
}

/** The same shape on a fuse-native file system that does nothing. */
export async function mountNoOp(...attrTimeout: string[]): Promise<Place> {
  const base = mkdtempSync('/tmp/cfs-bench-');
  const root = join(base, 'ctx');
  mkdirSync(root);
  const child = spawn(process.execPath, ['--import', 'tsx', noOp, root, ...attrTimeout], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return await open(base, '', root, child, () => isMounted(root));
}

/** The directory of plain files, below the root and the store. */
export function files(): string {
  return `home/${process.geteuid!()}/bench`;
}

async function open(
  base: string,
  store: string,
  root: string,
  child: ChildProcess,
  isUp: () => boolean,
): Promise<Place> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const close = async () => {
    const [program, ...args] =
      process.geteuid!() === 0 ? ['umount', '-l', root] : ['fusermount3', '-u', '-z', root];
    if (isMounted(root)) spawnSync(program!, args);
    child.kill();
    await ended;
    rmSync(base, { recursive: true, force: true });
  };
  while (!isUp()) {
    if (child.exitCode !== null) {
      await close();
      throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`);
    }
    await sleep(20);
  }
  return { store, root, process: child, close };
}

function isMounted(root: string): boolean {
  return readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${root} `);
}
