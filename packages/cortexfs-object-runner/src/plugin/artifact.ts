import { constants, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { EXEC_PLACE } from '@cortexfs/abi/paths';
import { pause } from '@cortexfs/linux/pause';

/** How long the mount may take to compare an artifact with its receipt: 4 GiB from a slow disk. */
const PATIENCE_MS = 300_000;

/**
 * What an installed object runs, opened; undefined when the object is none. The mount serves it beside the object, under a
 * name that it does not list, and opens it only while its bytes are those of its receipt (docs/plugins.md). `file` is the object
 * as it was opened, without links; `path` is what it is called in messages. EACCES when it is not what was installed.
 */
export function openArtifact(file: string, path: string): number | undefined {
  const artifact = `${dirname(file)}/${EXEC_PLACE}/${basename(file)}`;
  for (const start = performance.now(); ; pause(1)) {
    try {
      return openSync(artifact, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NOCTTY);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      if (code === 'EAGAIN' && performance.now() - start < PATIENCE_MS) continue;
      throw code === 'EACCES' ? refused(path, error) : fromNodeError(error, { path, layer: 'receipt' });
    }
  }
}

function refused(path: string, cause: unknown): CortexError {
  return new CortexError('EACCES', 'it is not what was installed, so it is not executed', {
    path,
    layer: 'receipt',
    hint: `${path}.d/log says what differs; ctx object inspect shows the receipt, ctx object replace mends it`,
    cause,
  });
}
