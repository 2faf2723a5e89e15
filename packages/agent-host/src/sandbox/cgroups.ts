import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectName } from '@cortexfs/abi/names';
import { Cgroup, directoriesIn, enableLimits, ownCgroup } from '@cortexfs/linux/cgroup';
import { isAlive, startTimeOf } from '@cortexfs/linux/process';
import { GRACE_MS } from './process.ts';
import type { LaunchSandboxed } from './spec.ts';

/** Processes and threads that all sandboxes of one host may have together. */
const MAX_PROCESSES = 2048;

/** The control groups of one launcher's sandboxes, below a group of its own (docs/sandbox.md, "Control groups"). */
export class Cgroups {
  readonly #home: Cgroup;
  #count = 0;

  private constructor(home: Cgroup) {
    this.#home = home;
  }

  /** undefined where groups cannot be made: the pid namespace is then what ends a sandbox as a whole. */
  static open(agent: ObjectName, role: 'host' | 'terminal', parent = ownCgroup()): Cgroups | undefined {
    if (parent === undefined) return undefined;
    removeStale(parent);
    enableLimits(parent);
    const launcher = `${pidNamespace()}-${process.pid}-${startTimeOf(process.pid)}`;
    const home = Cgroup.make(parent, `cortexfs-${agent}-${role}-${launcher}`);
    if (home === undefined) return undefined;
    home.limit('pids.max', MAX_PROCESSES);
    home.limit('memory.max', halfOfMemory());
    return new Cgroups(home);
  }

  /** As `launch`, with each sandbox in a group of its own from before its program starts. */
  around(launch: LaunchSandboxed): LaunchSandboxed {
    return async (spec, beforeRelease) => {
      const group = Cgroup.make(this.#home.path, `${++this.#count}`);
      if (group === undefined) return launch(spec, beforeRelease);
      try {
        const sandboxed = await launch(spec, async (root) => {
          group.add(root.pid);
          await beforeRelease(root);
        });
        void sandboxed.exited.then(() => removeSoon(group));
        return { ...sandboxed, terminate: () => terminate(sandboxed.terminate, group) };
      } catch (error) {
        await removeSoon(group);
        throw error;
      }
    };
  }

  /** Ends whatever is still in any of them. */
  async close(): Promise<void> {
    this.#home.kill();
    await removeSoon(this.#home);
  }
}

/**
 * Groups whose launcher is gone: what is left in them ends. A container may share the tree and not the numbers of
 * processes: what was made in another pid namespace is left alone.
 */
export function removeStale(parent = ownCgroup()): void {
  if (parent === undefined) return;
  const namespace = pidNamespace();
  for (const name of directoriesIn(parent)) {
    const [, where, pid, startTime] = /^cortexfs-.+-(?:host|terminal)-(\d+)-(\d+)-(\d+)$/.exec(name) ?? [];
    if (where !== namespace || isAlive(Number(pid), Number(startTime))) continue;
    const left = Cgroup.existing(join(parent, name));
    left.kill();
    left.remove();
  }
}

/** Its number, which no other has at this time. */
function pidNamespace(): string {
  return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
}

async function terminate<T>(end: () => Promise<T>, group: Cgroup): Promise<T> {
  const timer = setTimeout(() => group.kill(), GRACE_MS);
  try {
    return await end();
  } finally {
    clearTimeout(timer);
  }
}

/** The kernel frees a group a moment after its last process. */
async function removeSoon(group: Cgroup): Promise<void> {
  for (let looks = 0; !group.remove() && looks < 50; looks++) await delay(10);
}

function halfOfMemory(): number {
  const total = /^MemTotal:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'latin1'))?.[1];
  return Math.floor((Number(total) * 1024) / 2);
}
