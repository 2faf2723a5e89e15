import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMountTable } from './mount-table.ts';

/**
 * One control group (cgroup v2). Everything that a process in it starts is in it too, whatever group, session or parent
 * it gives itself: so it can be ended, and limited, as a whole.
 */
export class Cgroup {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** undefined where this user may not make one: without cgroup v2, or outside of what was delegated to them. */
  static make(parent: string, name: string): Cgroup | undefined {
    try {
      mkdirSync(join(parent, name));
      return new Cgroup(join(parent, name));
    } catch {
      return undefined;
    }
  }

  /** One that exists, such as one that a process left which is gone now. */
  static existing(path: string): Cgroup {
    return new Cgroup(path);
  }

  /** False when the process is gone, or may not be moved from where it is. */
  add(pid: number): boolean {
    return this.#write('cgroup.procs', `${pid}`);
  }

  /** False where the controller of this limit is not at hand. */
  limit(file: 'pids.max' | 'memory.max', value: number): boolean {
    return this.#write(file, `${value}`);
  }

  /** SIGKILL to all in it and below, also to what they start at this moment (Linux 5.14). */
  kill(): boolean {
    return this.#write('cgroup.kill', '1');
  }

  get processes(): number[] {
    try {
      return readFileSync(join(this.path, 'cgroup.procs'), 'latin1').split('\n').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  }

  /** Removes it with those below it. False while a process is in it, if only a dead one that nobody has waited for. */
  remove(): boolean {
    try {
      for (const child of directoriesIn(this.path)) new Cgroup(join(this.path, child)).remove();
      rmdirSync(this.path);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  }

  /** A file of the kernel's: nothing is made where it has none. */
  #write(file: string, text: string): boolean {
    try {
      writeFileSync(join(this.path, file), text, { flag: 'r+' });
      return true;
    } catch {
      return false;
    }
  }
}

/** The control group that this process is in, as a directory; undefined without cgroup v2. */
export function ownCgroup(): string | undefined {
  const path = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup'))?.[1];
  // A mount of a part of the tree, or a namespace whose top is below us, shows our group nowhere.
  const mount = readMountTable().find(({ type }) => type === 'cgroup2');
  if (path === undefined || mount?.root !== '/' || path.startsWith('/..')) return undefined;
  return join(mount.point, path);
}

/** Lets groups below `parent` have limits, as far as the kernel and the processes in it allow that. */
export function enableLimits(parent: string): void {
  for (const controller of ['pids', 'memory']) {
    try {
      writeFileSync(join(parent, 'cgroup.subtree_control'), `+${controller}`, { flag: 'r+' });
    } catch {
      // Not there, or forbidden while processes are in the group itself: then there is no limit.
    }
  }
}

export function directoriesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
