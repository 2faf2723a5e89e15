import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import type { Test } from 'tap';

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** A freshly created unprivileged user with a home of their own; gone again, processes included, when the test ends. */
export function freshUser(t: Test): User {
  const name = `cfs${randomBytes(4).toString('hex')}`;
  const home = `/tmp/${name}`;
  execFileSync('/usr/sbin/useradd', ['--no-create-home', '--home-dir', home, '--shell', '/bin/bash', name]);
  t.teardown(() => removeUser(name, home));
  const id = (flag: string) => Number(execFileSync('/usr/bin/id', [flag, name], { encoding: 'utf8' }));
  const user = { name, uid: id('-u'), gid: id('-g'), home };
  mkdirSync(home, { mode: 0o700 });
  execFileSync('/bin/chown', ['-R', `${user.uid}:${user.gid}`, home]);
  return user;
}

function removeUser(name: string, home: string): void {
  try {
    execFileSync('/usr/bin/pkill', ['-KILL', '-u', name]);
  } catch {
    // Nothing of theirs was running.
  }
  execFileSync('/usr/sbin/userdel', ['--force', name], { stdio: 'ignore' });
  rmSync(home, { recursive: true, force: true });
}
