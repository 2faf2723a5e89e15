import { closeSync, constants, openSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { tryLock } from '@cortexfs/linux/flock';

/** One mount a runtime directory: held on the directory itself, so that no lock file is left behind. Released when the process ends. */
export function lockRuntime(runtime: string): () => void {
  const fd = openSync(runtime, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  if (tryLock(fd)) return () => closeSync(fd);
  closeSync(fd);
  throw new CortexError('EBUSY', 'another mount of this runtime directory is starting or serving', {
    path: runtime,
    layer: 'mount',
    hint: 'ctx status',
  });
}
