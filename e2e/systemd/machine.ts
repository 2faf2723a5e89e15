import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readMountTable } from '@cortexfs/linux/mount-table';
import type { Test } from 'tap';
import { guardCgroup } from '../guard.ts';
import { OwnMachine } from '../own-machine.ts';
import { checkout } from '../place.ts';
import { until } from '../until.ts';

/** A machine of its own that systemd runs. It ends, with everything that was started there, when the test does. */
export async function systemdMachine(t: Test): Promise<OwnMachine> {
  return await OwnMachine.boot(t, {
    init: `${checkout}/e2e/systemd/init.sh`,
    namespaces: ['--uts', '--ipc', '--net', '--cgroup'],
    enter: cgroupFor,
    isUp: async (machine) => {
      const { out } = await machine.run(['systemctl', 'is-system-running', '--wait']);
      if (out === 'degraded\n') throw new Error((await machine.run(['systemctl', '--failed'])).out);
      return out === 'running\n';
    },
  });
}

/** A cgroup of its own, without which systemd would manage the host's; it also is how all of it is ended. */
function cgroupFor(t: Test, folder: string): (pid: number) => void {
  const mount = readMountTable().find(({ type }) => type === 'cgroup2');
  if (mount === undefined)
    throw new Error('systemd needs a mounted cgroup2: mount -t cgroup2 none SOMEWHERE');
  const cgroup = `${mount.point}/${basename(folder)}`;
  mkdirSync(cgroup);
  guardCgroup(cgroup);
  t.teardown(async () => {
    writeFileSync(`${cgroup}/cgroup.kill`, '1');
    await until('all of the machine has ended', () => isEmpty(cgroup));
    removeCgroup(cgroup);
  });
  return (pid) => writeFileSync(`${cgroup}/cgroup.procs`, `${pid}`);
}

function isEmpty(cgroup: string): boolean {
  return readFileSync(`${cgroup}/cgroup.events`, 'utf8').includes('populated 0');
}

function removeCgroup(cgroup: string): void {
  for (const entry of readdirSync(cgroup, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroup(`${cgroup}/${entry.name}`);
  rmdirSync(cgroup);
}
