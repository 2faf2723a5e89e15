import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Place } from './place.ts';

/** The pid in a launch receipt, such as `coder/socket.json`. */
export function launchedPid(place: Place, receipt: string): number {
  return (JSON.parse(readFileSync(`${place.runtime}/launch/${receipt}`, 'utf8')) as { pid: number }).pid;
}

/** The pid of the mount's daemon. */
export function daemonPid(place: Place): number {
  return (JSON.parse(readFileSync(`${place.runtime}/mount.json`, 'utf8')) as { pid: number }).pid;
}

/** All living processes below one, itself first. */
export function treeOf(pid: number): number[] {
  return [
    pid,
    ...childrenOf(pid)
      .split(' ')
      .filter(Boolean)
      .flatMap((child) => treeOf(Number(child))),
  ];
}

/** What the kernel tells of a process, seen from the host. */
export class Seen {
  readonly pid: number;

  constructor(pid: number) {
    this.pid = pid;
  }

  get command(): string[] {
    return this.#read('cmdline').split('\0').slice(0, -1);
  }

  get environment(): string[] {
    return this.#read('environ').split('\0').filter(Boolean);
  }

  /** The field of /proc/PID/status. */
  status(field: string): string | undefined {
    return new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(this.#read('status'))?.[1];
  }

  /** Its pid in the innermost namespace. */
  get innerPid(): number {
    return Number(this.status('NSpid')?.split('\t').at(-1));
  }

  get networks(): string[] {
    return [...this.#read('net/dev').matchAll(/^\s*([^\s:]+):/gm)].map((match) => match[1]!);
  }

  /** Targets of the descriptors above 2. */
  get descriptors(): string[] {
    return readdirSync(`/proc/${this.pid}/fd`)
      .filter((fd) => Number(fd) > 2)
      .map((fd) => readlinkSync(`/proc/${this.pid}/fd/${fd}`));
  }

  namespace(kind: string): string {
    return readlinkSync(`/proc/${this.pid}/ns/${kind}`);
  }

  get folder(): string {
    return readlinkSync(`/proc/${this.pid}/cwd`);
  }

  #read(file: string): string {
    return readFileSync(`/proc/${this.pid}/${file}`, 'utf8');
  }
}

/** Blank-separated pids; empty for a process that ended meanwhile. */
function childrenOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch {
    return '';
  }
}
