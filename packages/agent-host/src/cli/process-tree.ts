import { readdirSync, readFileSync } from 'node:fs';
import { parentOf } from '@cortexfs/linux/process';

/** Who descends from whom, by the process table of one moment. */
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

  /** All that descend from a process. */
  below(pid: number): number[] {
    return (this.#children.get(pid) ?? []).flatMap((child) => [child, ...this.below(child)]);
  }

  /** Resident memory in bytes of a process and everything that descends from it. */
  memoryOf(pid: number): number {
    return [pid, ...this.below(pid)].reduce((sum, each) => sum + residentBytes(each), 0);
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
