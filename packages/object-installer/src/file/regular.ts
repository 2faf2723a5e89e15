import { type BigIntStats, closeSync, constants, fstatSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { openBeneath, openName } from '@cortexfs/linux/open-beneath';

/** An open file and how it looked when it was opened. */
export interface OpenFile {
  readonly descriptor: number;
  readonly status: BigIntStats;
}

/**
 * Opens a regular file beneath a held directory to read it, without following any link; the caller closes it. A FIFO or
 * device is refused without waiting for it.
 */
export function openRegular(directory: number, path: string): OpenFile {
  const descriptor = open(directory, path);
  try {
    const status = fstatSync(descriptor, { bigint: true });
    if (!status.isFile()) throw new CortexError('EINVAL', `is ${kindOf(status)}, not a regular file`);
    return { descriptor, status };
  } catch (err) {
    closeSync(descriptor);
    throw err;
  }
}

function open(directory: number, path: string): number {
  try {
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    return path.includes('/') ? openBeneath(directory, path, flags) : openName(directory, path, flags);
  } catch (err) {
    const error = fromNodeError(err);
    throw new CortexError(error.code, REASONS[error.code] ?? error.message, { cause: err });
  }
}

/** What the errno of the open means here. */
const REASONS: Readonly<Partial<Record<CortexError['code'], string>>> = {
  EACCES: 'may not be read',
  ELOOP: 'has a symbolic link on the way',
  ENAMETOOLONG: 'has a name that is too long',
  ENOENT: 'does not exist',
  ENOTDIR: 'has something on the way that is no directory',
  ENXIO: 'is a socket or a device, not a regular file',
  EXDEV: "leads out of the manifest's directory",
};

function kindOf(status: BigIntStats): string {
  if (status.isDirectory()) return 'a directory';
  return status.isFIFO() ? 'a FIFO' : 'a device';
}
