import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import type { Test } from 'tap';
import { guardUser } from './guard.ts';
import { mountsBelow } from './leftovers.ts';

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** A freshly created unprivileged user with a home of their own; gone again when the test ends: processes, mounts, files. */
export function freshUser(t: Test): User {
  const name = `cfs${randomBytes(4).toString('hex')}`;
  const home = `/tmp/${name}`;
  addUser(name, home);
  const id = (flag: string) => Number(execFileSync('/usr/bin/id', [flag, name], { encoding: 'utf8' }));
  const user = { name, uid: id('-u'), gid: id('-g'), home };
  t.teardown(() => removeUser(user));
  guardUser(name, [home, runtimeOf(user)]);
  mkdirSync(home, { mode: 0o700 });
  execFileSync('/bin/chown', ['-R', `${user.uid}:${user.gid}`, home]);
  return user;
}

/** Others change /etc/passwd at the same time; useradd waits for them for 15 s only. */
function addUser(name: string, home: string): void {
  const args = ['--no-create-home', '--home-dir', home, '--shell', '/bin/bash', name];
  for (let attempt = 1; ; attempt++) {
    const { status, stderr } = spawnSync('/usr/sbin/useradd', args, { encoding: 'utf8' });
    if (status === 0) return;
    if (attempt === 4 || !stderr.includes('cannot lock')) throw new Error(`useradd ${name}: ${stderr}`);
  }
}

function removeUser(user: User): void {
  try {
    execFileSync('/usr/bin/pkill', ['-KILL', '-u', user.name]);
  } catch {
    // Nothing of theirs was running.
  }
  for (const folder of [user.home, runtimeOf(user)]) {
    for (const point of mountsBelow(folder)) execFileSync('/bin/umount', ['-l', point]);
    rmSync(folder, { recursive: true, force: true });
  }
  execFileSync('/usr/sbin/userdel', ['--force', user.name], { stdio: 'ignore' });
}

/** Where their runtime files are when no session of theirs names a directory. */
const runtimeOf = ({ uid }: User) => `/tmp/cortexfs-${uid}`;
