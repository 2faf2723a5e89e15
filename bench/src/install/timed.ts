import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Finished {
  milliseconds: number;
  /** Most memory that the program itself held, as seen every 20 ms. */
  peakBytes: number;
}

/** Runs a program to its end, which must be a good one. */
export async function timed(file: string, args: readonly string[]): Promise<Finished> {
  const start = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let peakBytes = 0;
  const look = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child.pid!));
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(look);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} exited ${code}`);
  return { milliseconds: performance.now() - start, peakBytes };
}

function peakOf(pid: number): number {
  try {
    const [, kilobytes = '0'] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
