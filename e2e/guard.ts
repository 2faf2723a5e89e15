import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Takes a folder of this test away once the test's process is gone, however it ended, also by SIGKILL: what runs with
 * paths below it, what is mounted there, its files. Where the test took it away itself, nothing is left to do.
 */
export function guardFolder(folder: string): void {
  guard(`${REMOVE} remove "$1"`, folder);
}

/** The same for a user and their folders. A user that is gone already may have left their number to another. */
export function guardUser(name: string, folders: readonly string[]): void {
  guard(
    `${REMOVE} name=$1; shift; getent passwd "$name" >/dev/null || exit 0
     pkill -KILL -u "$name"; for folder; do remove "$folder"; done; userdel --force "$name"`,
    name,
    ...folders,
  );
}

/** The same for a cgroup: everything in it is ended, then it is removed. */
export function guardCgroup(cgroup: string): void {
  guard(
    `[ -d "$1" ] || exit 0
     echo 1 >"$1/cgroup.kill"
     until grep -q 'populated 0' "$1/cgroup.events"; do sleep 0.1; done
     find "$1" -depth -type d -exec rmdir {} \\;`,
    cgroup,
  );
}

const REMOVE = `remove() {
  [ -d "$1" ] || return
  for process in /proc/[0-9]*; do
    if grep -qsF "$1/" "$process/cmdline"; then kill -9 "\${process#/proc/}"; fi
  done
  grep -F " $1/" /proc/self/mounts | cut -d' ' -f2 | tac | xargs -r -n1 umount -l
  rm -rf "$1"
};`;

/** Our end of its standard input closes when we end. */
function guard(script: string, ...args: string[]): void {
  const child = spawn('/bin/sh', ['-c', `cat >/dev/null; ${script}`, 'sh', ...args], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  child.unref();
  (child.stdin as Socket).unref();
}
