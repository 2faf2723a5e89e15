import { CortexError } from '@cortexfs/abi/errors';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a control; EINVAL where it is not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new CortexError('EINVAL', 'not valid UTF-8', { layer: 'control', cause });
  }
}
