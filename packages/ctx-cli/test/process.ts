import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

const bin = fileURLToPath(new URL('../dist/ctx-cli.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A place of its own for one test: store, runtime and configuration below a short temporary directory. */
export function place(t: Test) {
  const folder = mkdtempSync('/tmp/ctx-');
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    XDG_DATA_HOME: `${folder}/data`,
  };
  return { folder, env, store: `${folder}/data/cortexfs/store`, runtime: `${folder}/cortexfs` };
}

/** Runs the built ctx. */
export function ctx(env: NodeJS.ProcessEnv, args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bin, ...args], { env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? 255) : 0, out, err });
    });
    child.stdin?.end(input);
  });
}
