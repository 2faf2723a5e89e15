import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../median.ts';
import type { Row } from '../table.ts';
import { mountStore, type Place } from './place.ts';

const AGENTS = 1000;
const STARTS = 2;
/** Small heaps for what is young, so that garbage does not pass for growth. */
const FLAGS = ['--max-semi-space-size=1'];

/** What agents that are only defined, or listed with their attributes, cost the daemon. */
export async function memoryRows(): Promise<Row[]> {
  const defined: number[] = [];
  const listed: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const [one, many] = [await grown(1, 50), await grown(AGENTS, 1)];
    defined.push(many.idle - one.idle);
    listed.push(many.listed - one.listed);
  }
  const row = (work: string, bytes: readonly number[]): Row => ({
    work,
    ours: `${(median(bytes) / 1024).toFixed(0)} KiB more`,
    against: 'a mount of 1 agent',
    result: `${(median(bytes) / AGENTS).toFixed(0)} bytes an agent`,
    goal: '< 2 KB an agent',
  });
  return [row(`${AGENTS} agents defined`, defined), row(`${AGENTS} agents listed by ls -l`, listed)];
}

/** Both mounts answer as many questions; only what they have to remember differs. */
async function grown(agents: number, times: number): Promise<{ idle: number; listed: number }> {
  const place = await mountStore(agents, FLAGS);
  try {
    await sleep(500);
    const idle = memoryOf(place);
    list(place, times);
    await sleep(500);
    return { idle, listed: memoryOf(place) };
  } finally {
    await place.close();
  }
}

function list({ root }: Place, times: number): void {
  const command = `for i in $(seq ${times}); do ls -l ${root}/agent; done`;
  execFileSync('/bin/sh', ['-c', command], { stdio: 'ignore' });
}

/** Private memory in bytes. */
function memoryOf({ process: { pid } }: Place): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Private_Dirty:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
}
