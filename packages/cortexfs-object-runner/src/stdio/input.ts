import { readSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { decodeUtf8 } from '@cortexfs/abi/jsonl';
import { pause } from '@cortexfs/linux/pause';

/** The most that an object reads from standard input: 1 MiB. */
export const MAX_INPUT_BYTES = 1024 * 1024;

/** Standard input to its end, as text. EMSGSIZE over the limit, EINVAL when it is not UTF-8. */
export function readInput(): string {
  return decodeUtf8(readInputBytes());
}

/** Standard input to its end. */
export function readInputBytes(): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let chunk = readChunk(); chunk.length > 0; chunk = readChunk()) {
    length += chunk.length;
    if (length > MAX_INPUT_BYTES) {
      throw new CortexError('EMSGSIZE', `the input is longer than ${MAX_INPUT_BYTES} bytes`, {
        layer: 'frame',
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The next bytes, none at the end. */
function readChunk(): Buffer {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  for (;;) {
    try {
      return buffer.subarray(0, readSync(0, buffer));
    } catch (err) {
      const { code } = err as NodeJS.ErrnoException;
      if (code === 'EOF') return buffer.subarray(0, 0);
      if (code !== 'EAGAIN') throw err;
      pause(2);
    }
  }
}
