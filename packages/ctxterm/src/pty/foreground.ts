import { readFileSync } from 'node:fs';

/**
 * The foreground process group of the terminal whose session leader is `leader`.
 * Field 8 of /proc/PID/stat tells it without a system call that Node lacks.
 */
export function foregroundGroup(leader: number): number | undefined {
  const fields = statFields(leader);
  const group = Number(fields?.[5]);
  return Number.isSafeInteger(group) && group > 1 ? group : undefined;
}

/** Fields of /proc/PID/stat from the third (state) on; the second may contain blanks and brackets. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
