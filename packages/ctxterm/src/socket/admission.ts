import { lstatSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { CortexError } from '@cortexfs/abi/errors';
import { type PeerCredentials, peerCredentials } from '@cortexfs/linux/peer-credentials';

/** Facts about this process and its socket that decide who may connect. */
export interface Host {
  uid: number;
  /** uid 0 outside has a number in this process's user namespace. */
  rootIsMapped: boolean;
  /** The uid that stands for everybody who has none here. */
  overflowUid: number;
  /** Only the owner, and processes that may ignore file modes, can connect. */
  socketIsPrivate: boolean;
}

/**
 * Who connected, from the kernel, before a byte is read. Accepted are the owner and uid 0. In a user namespace without
 * uid 0 root outside shows as the overflow uid, and so does everyone else outside: then the overflow uid is accepted only
 * while the file modes keep everybody but the owner and root from connecting. Others are EACCES.
 */
export function admit(socket: Socket, path: string): PeerCredentials {
  const peer = peerCredentials(socket);
  if (mayConnect(peer.uid, hostFacts(path))) return peer;
  throw new CortexError(
    'EACCES',
    `uid ${peer.uid} may not use this terminal, which belongs to uid ${process.geteuid!()}`,
    {
      layer: 'credentials',
    },
  );
}

export function mayConnect(uid: number, host: Host): boolean {
  if (uid === host.uid) return true;
  if (host.rootIsMapped) return uid === 0;
  return uid === host.overflowUid && host.socketIsPrivate;
}

function hostFacts(path: string): Host {
  const uid = process.geteuid!();
  return {
    uid,
    rootIsMapped: mapsRoot(readFileSync('/proc/self/uid_map', 'latin1')),
    overflowUid: overflowUid(),
    socketIsPrivate: isPrivate(path, uid),
  };
}

/** Whether a uid map has a line for uid 0 of this namespace. */
export function mapsRoot(map: string): boolean {
  return map.split('\n').some((line) => /^\s*0\s/.test(line));
}

function overflowUid(): number {
  try {
    return Number(readFileSync('/proc/sys/kernel/overflowuid', 'latin1'));
  } catch {
    return 65534;
  }
}

function isPrivate(path: string, uid: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isSocket() === true && stat.uid === uid && (stat.mode & 0o077) === 0;
}
