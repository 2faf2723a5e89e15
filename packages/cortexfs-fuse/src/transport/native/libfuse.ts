import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { requireFrom } from '@cortexfs/linux/installed-require';
import koffi from 'koffi';

const LIBRARY = 'libfuse.so.2';

/** What the dynamic loader says when the add-on's library is not on this machine. */
export function isLibfuseMissing(error: unknown): boolean {
  return error instanceof Error && error.message.includes(`${LIBRARY}: cannot open shared object file`);
}

/** Loads the copy that comes with fuse-native: the add-on, which asks for the library by name, then finds it loaded. */
export function ensureLibfuse(addonFolder: string): void {
  const copy = copyOf(addonFolder);
  if (copy === undefined) throw libfuseMissing();
  try {
    koffi.load(copy);
  } catch (error) {
    throw libfuseMissing(error);
  }
}

export function libfuseMissing(cause?: unknown): CortexError {
  return new CortexError('ENOENT', 'the library is not on this machine: apt-get install libfuse2', {
    path: LIBRARY,
    layer: 'mount',
    hint: 'sudo apt-get install libfuse2, or use --transport kernel',
    cause,
  });
}

function copyOf(addonFolder: string): string | undefined {
  try {
    const near = requireFrom(`${addonFolder}/package.json`).resolve('fuse-shared-library/package.json');
    const shared = requireFrom(near).resolve('fuse-shared-library-linux/package.json');
    const path = join(dirname(shared), 'libfuse/lib/libfuse.so');
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
