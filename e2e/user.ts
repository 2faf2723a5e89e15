import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { Test } from 'tap';

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
  execFileSync('/usr/sbin/useradd', ['--no-create-home', '--home-dir', home, '--shell', '/bin/bash', name]);
  const id = (flag: string) => Number(execFileSync('/usr/bin/id', [flag, name], { encoding: 'utf8' }));
  const user = { name, uid: id('-u'), gid: id('-g'), home };
  t.teardown(() => removeUser(user));
  mkdirSync(home, { mode: 0o700 });
  execFileSync('/bin/chown', ['-R', `${user.uid}:${user.gid}`, home]);
  return user;
}

function removeUser({ name, uid, home }: User): void {
  try {
    execFileSync('/usr/bin/pkill', ['-KILL', '-u', name]);
  } catch {
    // Nothing of theirs was running.
  }
  // Where their runtime files are when no session of theirs names a directory.
  const runtime = `/tmp/cortexfs-${uid}`;
  for (const folder of [home, runtime]) {
    for (const point of mountsBelow(folder)) execFileSync('/bin/umount', ['-l', point]);
    rmSync(folder, { recursive: true, force: true });
  }
  execFileSync('/usr/sbin/userdel', ['--force', name], { stdio: 'ignore' });
}

function mountsBelow(folder: string): string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((point) => point.startsWith(`${folder}/`));
}
