import { readdirSync, readFileSync } from 'node:fs';
import { parentOf } from '@cortexfs/linux/process';

/** Resident memory in bytes of a process and everything that descends from it, by the process table of one moment. */
export class ProcessTree {
  readonly #children = new Map<number, number[]>();

  constructor() {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const pid = Number(name);
      const parent = parentOf(pid);
      if (parent === undefined) continue;
      this.#children.set(parent, [...(this.#children.get(parent) ?? []), pid]);
    }
  }

  memoryOf(pid: number): number {
    const below = this.#children.get(pid) ?? [];
    return residentBytes(pid) + below.reduce((sum, child) => sum + this.memoryOf(child), 0);
  }
}

/** What a process has that others do not share: summing shared pages would count them once a process. */
function residentBytes(pid: number): number {
  try {
    const [, resident = '0', shared = '0'] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
    return (Number(resident) - Number(shared)) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

const PAGE_BYTES = 4096;
