import { readSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { MAX_MANIFEST_BYTES } from '@cortexfs/abi/manifest';
import { withRegularFile } from './regular-file.ts';

/** Reads a manifest's text from a held directory. EMSGSIZE over 1 MiB, EINVAL when it is not UTF-8. */
export function readManifest(directory: number, name: string): string {
  return withRegularFile(directory, name, (descriptor) => {
    // One byte more than allowed, so that a file that grows meanwhile is noticed and never read whole.
    const buffer = Buffer.alloc(MAX_MANIFEST_BYTES + 1);
    let length = 0;
    while (length < buffer.length) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, length);
      if (read === 0) break;
      length += read;
    }
    if (length > MAX_MANIFEST_BYTES) {
      throw new CortexError('EMSGSIZE', `a manifest is at most ${MAX_MANIFEST_BYTES} bytes`);
    }
    return decode(buffer.subarray(0, length));
  });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CortexError('EINVAL', 'is not UTF-8');
  }
}
