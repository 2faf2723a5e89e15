import { CortexError } from '@cortexfs/abi/errors';

/** A single name as it may arrive from a client. The kernel sends no others, but a name becomes a path here. */
export function requireName(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
    throw new CortexError('EINVAL', `not a file name: ${JSON.stringify(name)}`, { layer: 'name' });
  if (Buffer.byteLength(name) > NAME_MAX)
    throw new CortexError('ENAMETOOLONG', `a file name has at most ${NAME_MAX} bytes`, { layer: 'name' });
  return name;
}

export const NAME_MAX = 255;
