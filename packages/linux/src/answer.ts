import { spawn } from 'node:child_process';
import { CortexError } from '@cortexfs/abi/errors';
import { findHostProgram } from './host-program.ts';
import { mountOf, readMountTable } from './mount-table.ts';

/** How long a mounted file system may take to say how large it is. */
const PATIENCE_MS = 5000;

export type Answer = 'answers' | 'dead' | 'hangs';

/**
 * Whether the file system that a path lies on answers: `dead` when its daemon is gone (ENOTCONN), `hangs` when nothing
 * comes within the time. Another process asks, for a call that never returns cannot be taken back from one's own.
 */
export async function answerOf(path: string, patienceMs = PATIENCE_MS): Promise<Answer> {
  const child = spawn(findHostProgram('stat'), ['--file-system', '--', path], {
    cwd: '/',
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  return await new Promise<Answer>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      // It may be stuck in the kernel all the same, which must not keep us.
      child.unref();
      child.stderr.destroy();
      resolve('hangs');
    }, patienceMs);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(DEAD.test(said) ? 'dead' : 'answers');
    });
  });
}

/**
 * Refuses a path on which a call would never return. Only file systems with a server behind them are asked.
 * @throws CortexError ETIMEDOUT that says what is mounted there.
 */
export async function requireAnswer(path: string, patienceMs = PATIENCE_MS): Promise<void> {
  const mount = mountOf(path, readMountTable());
  if (mount === undefined || !SERVED.test(mount.type)) return;
  if ((await answerOf(path, patienceMs)) !== 'hangs') return;
  const why = `the file system at ${mount.point} (${mount.type}) does not answer within ${patienceMs / 1000} s`;
  throw new CortexError('ETIMEDOUT', why, {
    path,
    layer: 'mount',
    hint: `take it away (umount -l ${mount.point}), or mount elsewhere`,
  });
}

const DEAD = /Transport endpoint is not connected|Software caused connection abort/;
const SERVED = /^(fuse|nfs|cifs|smb|9p|ceph|afs|virtiofs|glusterfs|lustre|autofs)/;
