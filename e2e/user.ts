import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import type { Test } from 'tap';
import { addUser, deleteUser } from '../setup/test-user.ts';
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
  addUser(name, home, '/bin/bash');
  const id = (flag: string) => Number(execFileSync('/usr/bin/id', [flag, name], { encoding: 'utf8' }));
  const user = { name, uid: id('-u'), gid: id('-g'), home };
  t.teardown(() => removeUser(user));
  guardUser(name, [home, runtimeOf(user)]);
  mkdirSync(home, { mode: 0o700 });
  execFileSync('/bin/chown', ['-R', `${user.uid}:${user.gid}`, home]);
  return user;
}

function removeUser(user: User): void {
  spawnSync('/usr/bin/pkill', ['-KILL', '-u', user.name]);
  for (const folder of [user.home, runtimeOf(user)]) {
    for (const point of mountsBelow(folder)) execFileSync('/bin/umount', ['-l', point]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  deleteUser(user.name);
}

/** Where their runtime files are when no session of theirs names a directory. */
const runtimeOf = ({ uid }: User) => `/tmp/cortexfs-${uid}`;
