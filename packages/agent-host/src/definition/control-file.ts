import { closeSync, constants, fstatSync, readSync } from 'node:fs';
import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { agentControl } from '@cortexfs/abi/paths';
import { openBeneath } from '@cortexfs/linux/open-beneath';

/**
 * A control's text from its held directory; undefined when there is none. Only a regular file of at most 64 KiB is
 * read: a link is ELOOP, anything else EINVAL. A FIFO or device is never waited for.
 */
export function readControl(directory: number, agent: ObjectName, control: string): string | undefined {
  const path = agentControl(agent, control);
  const fd = openControl(directory, control, path);
  if (fd === undefined) return undefined;
  try {
    const file = fstatSync(fd);
    if (!file.isFile()) throw new CortexError('EINVAL', 'is not a regular file', { path, layer: 'control' });
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBounded(fd, path));
  } catch (error) {
    if (error instanceof TypeError)
      throw new CortexError('EINVAL', 'is not UTF-8 text', { path, layer: 'control' });
    throw fromNodeError(error, { path, layer: 'control' });
  } finally {
    closeSync(fd);
  }
}

function openControl(directory: number, control: string, path: string): number | undefined {
  try {
    return openBeneath(directory, control, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const failure = fromNodeError(error, { path, layer: 'control' });
    if (failure.code === 'ENOENT') return undefined;
    if (failure.code === 'ELOOP')
      throw new CortexError('ELOOP', 'is a symbolic link', { path, layer: 'control' });
    throw failure;
  }
}

/** What is there now and no more: a file that grows meanwhile is cut off by the limit, not followed. */
function readBounded(fd: number, path: string): Buffer {
  const buffer = Buffer.alloc(MAX_CONTROL_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  throw new CortexError('EMSGSIZE', `is longer than ${MAX_CONTROL_BYTES} bytes`, { path, layer: 'control' });
}
