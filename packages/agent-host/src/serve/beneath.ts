import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { CortexError, fromNodeError, type Layer } from '@cortexfs/abi/errors';
import { O_PATH } from '@cortexfs/linux/o-path';
import { openBeneath } from '@cortexfs/linux/open-beneath';

const { O_DIRECTORY, O_NONBLOCK, O_RDONLY } = constants;

/** A file held by its descriptor: what was checked is what is held, whatever happens to the name. */
export interface HeldFile {
  readonly fd: number;
  readonly stat: Stats;
}

/** Holds `path` below the directory `base`, no link followed; undefined when there is nothing. The caller closes it. */
export function holdBeneath(base: string, path: string): HeldFile | undefined {
  const fd = open(base, path, O_PATH);
  return fd === undefined ? undefined : { fd, stat: fstatSync(fd) };
}

/**
 * The text of a small regular file below `base`, no link followed; undefined when there is none. EMSGSIZE over
 * `maxBytes`, EINVAL when it is no regular file or not UTF-8.
 */
export function readBeneath(
  base: string,
  path: string,
  maxBytes: number,
  layer: Layer = 'control',
): string | undefined {
  const fd = open(base, path, O_RDONLY | O_NONBLOCK);
  if (fd === undefined) return undefined;
  try {
    if (!fstatSync(fd).isFile()) throw new CortexError('EINVAL', 'is not a regular file', { path, layer });
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      readBounded(fd, path, maxBytes, layer),
    );
  } catch (error) {
    if (error instanceof TypeError) throw new CortexError('EINVAL', 'is not UTF-8 text', { path, layer });
    throw fromNodeError(error, { path, layer });
  } finally {
    closeSync(fd);
  }
}

function open(base: string, path: string, flags: number): number | undefined {
  let directory: number | undefined;
  try {
    directory = openSync(base, O_RDONLY | O_DIRECTORY);
    return openBeneath(directory, path, flags);
  } catch (error) {
    const failure = fromNodeError(error, { path });
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return undefined;
    if (failure.code === 'ELOOP') throw new CortexError('ELOOP', 'a symbolic link is in the way', { path });
    throw failure;
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

function readBounded(fd: number, path: string, maxBytes: number, layer: Layer): Buffer {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  throw new CortexError('EMSGSIZE', `is longer than ${maxBytes} bytes`, { path, layer });
}
