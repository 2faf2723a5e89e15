import { readFileSync } from 'node:fs';

/** One line of `/proc/PID/stat`, as far as it proves which process a pid means. */
export interface ProcessStat {
  /** One letter: R S D Z T X … */
  state: string;
  parent: number;
  /** Process group and session ids. */
  group: number;
  session: number;
  /** Clock ticks since boot. With the pid it identifies one process: a recycled pid has another. */
  startTime: number;
}

/** What a process may do by Linux's own rules: the ids that file access is checked with. */
export interface ProcessCredentials {
  uid: number;
  gid: number;
  /** Supplementary groups. */
  groups: number[];
}

/** undefined when there is no such process, or when /proc hides it. */
export function statOf(pid: number): ProcessStat | undefined {
  const text = readProc(pid, 'stat');
  if (text === undefined) return undefined;
  // The command name is in parentheses and may itself hold parentheses and blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: Number(fields[19]),
  };
}

export function startTimeOf(pid: number): number | undefined {
  return statOf(pid)?.startTime;
}

/**
 * Seconds for which the process has run, by the kernel's ticks: setting the clock changes nothing. undefined when there is no
 * such process.
 */
export function ageOf(pid: number): number | undefined {
  const [own, other] = [startTimeOf(process.pid), startTimeOf(pid)];
  if (own === undefined || other === undefined) return undefined;
  return Math.max(0, process.uptime() + (own - other) / TICKS_PER_SECOND);
}

/** What Linux shows to programs, whatever its own timer does. */
const TICKS_PER_SECOND = 100;

export function parentOf(pid: number): number | undefined {
  return statOf(pid)?.parent;
}

/** True while the process that had this pid at that start time runs; a zombie is dead. */
export function isAlive(pid: number, startTime: number): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.startTime === startTime && !'ZX'.includes(stat.state);
}

/** File-system uid and gid, and the supplementary groups. */
export function credentialsOf(pid: number): ProcessCredentials | undefined {
  const text = readProc(pid, 'status');
  if (text === undefined) return undefined;
  const ids = (field: string) =>
    (new RegExp(`^${field}:[\\t ]*(.*)$`, 'm').exec(text)?.[1] ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .map(Number);
  const uid = ids('Uid')[3];
  const gid = ids('Gid')[3];
  return uid === undefined || gid === undefined ? undefined : { uid, gid, groups: ids('Groups') };
}

export function groupsOf(pid: number): number[] | undefined {
  return credentialsOf(pid)?.groups;
}

function readProc(pid: number, file: string): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // Gone between two looks, or hidden (hidepid): either way there is nothing to prove.
    return undefined;
  }
}
