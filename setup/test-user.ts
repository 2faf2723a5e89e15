// Real users of the machine, for tests. Several test files make and delete some at the same time.
import { spawnSync } from 'node:child_process';

/** Makes a user without making the home. */
export function addUser(name: string, home: string, shell: string): void {
  patiently('useradd', '--no-create-home', '--home-dir', home, '--shell', shell, name);
}

/** Ends what the user still runs, and deletes the user. The home is whoever's who made it. */
export function deleteUser(name: string): void {
  spawnSync('pkill', ['-KILL', '-u', name]);
  // With force: a process that was killed may not be gone yet.
  patiently('userdel', '--force', name);
}

/** The password file has one lock for the whole machine, and these programs do not wait long for it. */
function patiently(program: string, ...args: string[]): void {
  for (let attempt = 1; ; attempt++) {
    const { status, stderr, error } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    });
    if (error) throw error;
    if (status === 0) return;
    if (attempt === 10 || !stderr.includes('cannot lock'))
      throw new Error(`${program} ${args.at(-1)}: ${stderr}`);
  }
}
