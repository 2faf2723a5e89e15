// Measures mounts from a process of its own. Its argument is a JSON `Order`; prints a JSON `Measured`.
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Work = 'stat' | 'readdir' | 'read';

export interface Order {
  readonly work: Work;
  /** The mounts to measure in turn. */
  readonly roots: readonly string[];
  /** Paths below each root, each met once a round. */
  readonly paths: readonly string[];
  readonly rounds: number;
  /** Long enough for what the kernel remembers to have expired, in milliseconds. */
  readonly pause: number;
}

/** Microseconds an operation, one a turn, for each root. */
export type Measured = number[][];

/** Turns are short, so that what else the machine does meets both sides alike. */
const CHUNK = 25;

const target = Buffer.alloc(4096);

const works: Record<Work, (path: string) => void> = {
  stat: (path) => statSync(path),
  readdir: (path) => readdirSync(path),
  read: (path) => {
    const fd = openSync(path, 'r');
    if (readSync(fd, target, 0, 4096, 0) === 0) throw new Error(`${path} is empty`);
    closeSync(fd);
  },
};

const { work, roots, paths, rounds, pause } = JSON.parse(process.argv[2]!) as Order;
const measured: Measured = roots.map(() => []);
// The first round warms up and does not count.
for (let round = 0; round <= rounds; round++) {
  await sleep(pause);
  for (let at = 0; at < paths.length; at += CHUNK) {
    const some = paths.slice(at, at + CHUNK);
    // Each is first in half of the turns.
    const order = at % (2 * CHUNK) === 0 ? [...roots.keys()] : [...roots.keys()].reverse();
    for (const index of order) {
      const taken = take(works[work], roots[index]!, some);
      if (round > 0) measured[index]!.push(taken);
    }
  }
}
process.stdout.write(JSON.stringify(measured));

function take(operation: (path: string) => void, root: string, some: readonly string[]): number {
  const start = process.hrtime.bigint();
  for (const path of some) operation(join(root, path));
  return Number(process.hrtime.bigint() - start) / 1000 / some.length;
}
