import { closeSync, constants, openSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { O_PATH } from '@cortexfs/linux/o-path';
import { openBeneath } from '@cortexfs/linux/open-beneath';

const { O_RDONLY, O_DIRECTORY } = constants;

/**
 * bubblewrap enters the directory only once the program may start, and its failure would look like the program's. So
 * it is looked for in the sandbox that is built and held. A way through links is left to bubblewrap: inside, they lead to
 * what is inside. ENOENT, ENOTDIR.
 */
export function requireStartDirectory(pid: number, cwd: string): void {
  const relative = cwd.replace(/^\/+|\/+$/g, '');
  if (relative === '') return;
  const root = openSync(`/proc/${pid}/root`, O_RDONLY | O_DIRECTORY);
  try {
    closeSync(openBeneath(root, relative, O_PATH | O_DIRECTORY));
  } catch (error) {
    const { code, message } = fromNodeError(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return;
    const why = code === 'ENOENT' ? 'the agent sees no such directory' : message;
    throw new CortexError(code, `cannot start there: ${why}`, {
      path: cwd,
      layer: 'sandbox',
      hint: 'see the control cwd, or --cwd of the start',
    });
  } finally {
    closeSync(root);
  }
}
