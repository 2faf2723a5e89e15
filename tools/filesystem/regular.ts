import { constants } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { reopen, statHeld } from './descriptor.ts';
import { kindOf } from './kind.ts';
import { refuse } from './refuse.ts';

/** Opens a held object for reading when it is a regular file. Others are refused unopened: a FIFO would block. */
export function openRegular(held: number, path: string): number {
  checkRegular(held, path);
  try {
    return reopen(held, constants.O_RDONLY);
  } catch (err) {
    throw refuse(err, path);
  }
}

/** EISDIR for a directory, EINVAL for anything else that is not a regular file. */
export function checkRegular(held: number, path: string): void {
  const kind = kindOf(statHeld(held));
  if (kind === 'directory') {
    throw new CortexError('EISDIR', 'is a directory', { path, layer: 'tool' });
  }
  if (kind !== 'file') {
    throw new CortexError('EINVAL', `is a ${kind}, not a regular file`, { path, layer: 'tool' });
  }
}
