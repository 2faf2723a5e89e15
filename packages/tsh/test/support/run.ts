import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

const directory = mkdtempSync(join(tmpdir(), 'tshbin-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const bin = join(directory, 'tsh.js');
// The bin as it is published, from the sources as they are now: a loader would slow down every start.
buildSync({
  entryPoints: [resolve(import.meta.dirname, '../../src/main.ts')],
  outfile: bin,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['koffi'],
  define: { 'import.meta.url': '__fileUrl' },
  banner: { js: "const __fileUrl = require('node:url').pathToFileURL(__filename).href;" },
});

/** The words that start tsh. */
export const TSH = [process.execPath, bin] as const;

/** Runs tsh as a process of its own. */
export function runTsh(
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; input?: string; cwd?: string },
): Promise<Ran> {
  const [file, ...first] = TSH;
  const child = spawn(file, [...first, ...args], { env: options.env, cwd: options.cwd, stdio: 'pipe' });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const gathered = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (gathered.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (gathered.err += text));
  return new Promise((done) => child.once('close', (code) => done({ code, ...gathered })));
}
