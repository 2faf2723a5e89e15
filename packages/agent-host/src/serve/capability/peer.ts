import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { CortexError } from '@cortexfs/abi/errors';
import { peerCredentials, peerPidfd } from '@cortexfs/linux/peer-credentials';
import { openPidfd, signalPidfd } from '@cortexfs/linux/pidfd';
import type { LaunchRoot } from '../../sandbox/spec.ts';
import { descendsFrom } from './ancestry.ts';

/** Throws EACCES unless the peer has one of the agent's uids and is, provably, a process of this run. */
export function requireRunProcess(
  socket: Socket,
  uids: readonly number[],
  roots: readonly LaunchRoot[],
): void {
  const { pid, uid } = peerCredentials(socket);
  if (!uids.includes(uid)) throw refused(`uid ${uid} is neither the owner nor the agent's`);
  if (pid <= 0) throw refused('the peer is in a process namespace that cannot be seen');
  const pidfd = holdPeer(socket, pid);
  try {
    if (!descendsFrom(pid, roots)) throw refused(`process ${pid} does not belong to this run`);
    // Held since before the walk and still alive after it: the pid meant this process all the time.
    signalPidfd(pidfd, 0);
  } catch (error) {
    throw error instanceof CortexError ? error : refused(`process ${pid} is gone`);
  } finally {
    closeSync(pidfd);
  }
}

/** The kernel's own descriptor of the peer, where it has one (Linux 6.5); else one of the process that has its pid now. */
function holdPeer(socket: Socket, pid: number): number {
  try {
    return peerPidfd(socket);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOPROTOOPT') throw refused(`process ${pid} is gone`);
    return openPidfd(pid);
  }
}

function refused(why: string): CortexError {
  return new CortexError('EACCES', why, { layer: 'credentials' });
}
