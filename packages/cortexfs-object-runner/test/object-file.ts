import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatObjectMetadata, type ObjectMetadata } from '@cortexfs/abi/object-metadata';
import type { Test } from 'tap';

const bundle = join(import.meta.dirname, '../dist/cortexfs-object-runner.js');

/** A fresh directory of the test's own, removed when the test ends. */
export function scratch(t: Test): string {
  const dir = mkdtempSync('/tmp/ctx-runner-');
  t.teardown(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** An executable object as the mount projects it, whose runner is the built bundle. */
export function objectFile(t: Test, className: ObjectMetadata['class'], name: string): string {
  const dir = scratch(t);
  const runner = join(dir, 'runner');
  writeFileSync(runner, `#!/bin/sh\nexec '${process.execPath}' '${bundle}' "$@"\n`);
  chmodSync(runner, 0o755);
  const path = join(dir, 'object');
  writeFileSync(
    path,
    formatObjectMetadata({ runner, class: className, name: name as ObjectMetadata['name'] }),
  );
  chmodSync(path, 0o755);
  return path;
}

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, a frame a line. */
  readonly frames: Record<string, unknown>[];
}

export interface Execution {
  readonly input?: string | Uint8Array;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** Executes an object by its path, as the kernel does for a user. */
export function execute(object: string, args: readonly string[] = [], how: Execution = {}): Promise<Outcome> {
  return outcomeOf(object, args, how);
}

/** Starts the bundle itself. */
export function runBundle(args: readonly string[], how: Execution = {}): Promise<Outcome> {
  return outcomeOf(process.execPath, [bundle, ...args], how);
}

async function outcomeOf(program: string, args: readonly string[], how: Execution): Promise<Outcome> {
  const { input = '', env = {}, cwd } = how;
  const child = spawn(program, args, { env: { PATH: '/usr/bin:/bin', ...env }, cwd, stdio: 'pipe' });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // The child may refuse its input before it has read it all.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const stdout = Buffer.concat(out).toString();
  return { code, signal, stdout, stderr: Buffer.concat(err).toString(), frames: framesOf(stdout) };
}

function framesOf(stdout: string): Record<string, unknown>[] {
  if (!stdout.startsWith('{')) return [];
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
