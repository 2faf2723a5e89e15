import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { addUser, deleteUser } from '../../../../../../setup/test-user.ts';

/** A real user, made for one test and deleted with it. */
export interface TestUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** The command line that runs a command as this user. */
  command(command: string[]): string[];
}

export function createUser(t: Test): TestUser {
  const name = `ctxk${randomBytes(4).toString('hex')}`;
  addUser(name, '/nonexistent', '/bin/sh');
  t.teardown(() => deleteUser(name));
  const uid = Number(run('id', '-u', name));
  const gid = Number(run('id', '-g', name));
  const prefix = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--init-groups', '--'];
  return { name, uid, gid, command: (command) => [...prefix, ...command] };
}

/** Runs a command as a user; its standard output, or its standard error when it failed. */
export function runAs(user: TestUser, ...command: string[]): { status: number | null; output: string } {
  const [program = '', ...args] = user.command(command);
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  });
  return { status, output: status === 0 ? stdout : stderr };
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout.trim();
}
