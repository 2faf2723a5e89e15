import { isUtf8 } from 'node:buffer';
import { CortexError } from '@cortexfs/abi/errors';

/** Linux's own limit for one component of a path, in bytes. */
export const NAME_MAX = 255;

/** Linux's limit for a symlink's target, in bytes, without the closing NUL. */
export const TARGET_MAX = 4095;

/**
 * One component of a path. Names that are not UTF-8 are refused with EILSEQ and so never come into being:
 * passed on as text they would turn into other names (docs/transport.md).
 */
export function decodeName(bytes: Buffer): string {
  if (bytes.length > NAME_MAX)
    throw new CortexError('ENAMETOOLONG', 'the name is longer than 255 bytes', { layer: 'name' });
  const name = decodeText(bytes);
  if (name === '' || name === '.' || name === '..' || name.includes('/')) {
    throw new CortexError('EINVAL', 'the kernel sent a name that is none', { layer: 'name' });
  }
  return name;
}

/** UTF-8 or EILSEQ, so that encoding the result again gives the same bytes. */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new CortexError('EILSEQ', 'the name is not UTF-8', { layer: 'name' });
  return bytes.toString('utf8');
}

/** The bytes of a name to list, or undefined when the kernel would reject the whole listing because of it. */
export function encodeListedName(name: string): Buffer | undefined {
  const bytes = Buffer.from(name, 'utf8');
  const valid = bytes.length > 0 && bytes.length <= NAME_MAX && !name.includes('/') && !name.includes('\0');
  return valid ? bytes : undefined;
}
