import type { BigIntStats } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';

const WRITABLE_BY_OTHERS = 0o022n;

/** EACCES unless only the caller and root can have made or changed something: what others may write proves nothing. */
export function requireTrusted(path: string, { uid, mode }: BigIntStats): void {
  const self = process.geteuid!();
  if (uid !== 0n && uid !== BigInt(self)) {
    throw refusal(path, `belongs to uid ${uid}, not to uid ${self} or root`, `run this as uid ${uid}`);
  }
  if ((mode & WRITABLE_BY_OTHERS) !== 0n) {
    const open = (mode & 0o7777n).toString(8).padStart(4, '0');
    throw refusal(path, `can be written by others (mode ${open})`, `chmod go-w ${path}, below the store`);
  }
}

function refusal(path: string, why: string, hint: string): CortexError {
  return new CortexError('EACCES', why, { path, layer: 'mode', hint });
}
