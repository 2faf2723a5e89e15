import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { decodeUtf8 } from '@cortexfs/abi/jsonl';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * The text of a small regular file, undefined when there is none. A link, FIFO or device is refused and never waited for;
 * at most 64 KiB. `shown` is its name in errors.
 */
export function readSmallFile(path: string, shown: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!fstatSync(fd).isFile()) throw new CortexError('EINVAL', 'is not a regular file');
    const bytes = Buffer.alloc(MAX_CONTROL_BYTES + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(fd, bytes, length, bytes.length - length, null);
    if (length === bytes.length)
      throw new CortexError('EMSGSIZE', `is longer than ${MAX_CONTROL_BYTES} bytes`);
    return decodeUtf8(bytes.subarray(0, length));
  } catch (error) {
    const failure = fromNodeError(error, { path: shown });
    if (failure.code === 'ENOENT') return undefined;
    throw failure;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
