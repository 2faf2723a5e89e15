import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { closeOnExecFrom } from '@cortexfs/linux/close-on-exec';
import type { RoleCommand, RoleProcess } from './role-process.ts';

/** Starts a role as a detached session leader with its log as output; it reports its error on descriptor 3. */
export function startDirectly({ argv, command, log }: RoleCommand): RoleProcess {
  const output = openLog(log);
  closeOnExecFrom(3);
  const child = spawn(process.execPath, [...argv, '--report-fd', '3', ...command], {
    detached: true,
    cwd: '/',
    stdio: ['ignore', output, output, 'pipe'],
  });
  closeSync(output);
  const stream = child.stdio[3] as Readable;
  const report = text(stream).catch(() => '');
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    ended: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    report: () => report,
    release() {
      stream.destroy();
      child.unref();
    },
  };
}

/** Readable too: what bubblewrap complains about is read back from it. */
function openLog(path: string): number {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  return openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
}
