import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { pause } from '@cortexfs/linux/pause';

const MOST = 16 * 1024;

/** The content of a key file, or of standard input for `-`. Nothing of it is in any error. */
export function readKeyFile(path: string): string {
  try {
    const fd = path === '-' ? 0 : openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (path !== '-' && !fstatSync(fd).isFile())
        throw new CortexError('EINVAL', 'is not a regular file', { path, layer: 'format' });
      return readAll(fd).toString('utf8');
    } finally {
      if (fd !== 0) closeSync(fd);
    }
  } catch (error) {
    throw fromNodeError(error, { path });
  }
}

function readAll(fd: number): Buffer {
  const bytes = Buffer.alloc(MOST);
  for (let length = 0; ; ) {
    const read = readOrEnd(fd, bytes, length);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length === MOST)
      throw new CortexError('EMSGSIZE', 'a key is not as long as this', { layer: 'format' });
  }
}

/** A pipe that nobody has written to yet may say so instead of waiting. */
function readOrEnd(fd: number, bytes: Buffer, at: number): number {
  for (;;) {
    try {
      return readSync(fd, bytes, at, bytes.length - at, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      pause(5);
    }
  }
}
