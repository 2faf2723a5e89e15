import { checkout, type Ended, type Place, run } from './place.ts';

/**
 * Runs ctx on a machine that lacks something: in a mount namespace of its own, which the shell script prepares first.
 * The script has a scratch directory at $SCRATCH on a file system that allows device nodes.
 */
export function ctxOnMachine(place: Place, script: string, args: readonly string[]): Promise<Ended> {
  const prepare = `set -e; SCRATCH=/mnt; mount -t tmpfs none $SCRATCH; ${script}; exec "$@"`;
  const ctx = [process.execPath, `${checkout}/dist/bin/ctx`, ...args];
  return run('/usr/bin/unshare', ['--mount', '/bin/sh', '-c', prepare, 'sh', ...ctx], {
    env: place.env,
    cwd: place.workspace,
  });
}

/** Takes a program out of /usr/bin, and so out of /bin. */
export const without = (program: string) =>
  `mkdir $SCRATCH/lower; mknod $SCRATCH/lower/${program} c 0 0; mount -t overlay -o lowerdir=$SCRATCH/lower:/usr/bin none /usr/bin`;

/** A /dev with the devices that every program needs, and what `nodes` adds. */
export const withDevices = (nodes = 'true') =>
  `cd $SCRATCH; mknod -m 666 null c 1 3; mknod -m 666 urandom c 1 9; ${nodes}; mount --move $SCRATCH /dev; cd /`;
