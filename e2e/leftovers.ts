import { readdirSync, readFileSync } from 'node:fs';
import { readMountTable } from '@cortexfs/linux/mount-table';

/** Mount points below a folder, innermost first. */
export function mountsBelow(folder: string): string[] {
  return readMountTable()
    .map(({ point }) => point)
    .filter((point) => point.startsWith(`${folder}/`))
    .reverse();
}

/** Other processes that have a path below the folder among their arguments. */
export function processesNaming(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${folder}/`);
      } catch {
        return false;
      }
    })
    .map(Number);
}
