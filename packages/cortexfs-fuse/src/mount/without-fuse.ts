import { CortexError } from '@cortexfs/abi/errors';

/** The programs, libraries and the device that a mount cannot do without. */
const MACHINERY: readonly (string | undefined)[] = [
  '/dev/fuse',
  'fusermount',
  'fusermount3',
  'mount',
  'umount',
  'libfuse.so.2',
  'fuse-native',
];

export function isMachinery(path: string | undefined): boolean {
  return MACHINERY.includes(path);
}

/** Where FUSE is not to be had, says what remains possible. */
export function offerPlain(error: unknown): never {
  if (!(error instanceof CortexError) || !isMachinery(error.path)) throw error;
  const { code, message, path, layer, hint } = error;
  throw new CortexError(code, message, {
    path,
    layer,
    hint: [hint, 'ctx mount --plain works without FUSE'].filter(Boolean).join('; '),
    cause: error,
  });
}
