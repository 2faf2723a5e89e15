import { lstat } from 'node:fs/promises';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { fileAt } from './abi-path.ts';
import { codecOfPath, refusalOf } from './control-path.ts';
import { checkWindow } from './window.ts';

/**
 * Replaces a file of the root as a whole; a control's text is checked by its codec first and the old value stays when it is refused.
 * A new file gets mode 0644.
 */
export async function writeFileOf(root: string, path: string, content: string): Promise<void> {
  checkControl(path, content);
  const remark = checkWindow(root, path, content);
  const file = fileAt(root, path);
  try {
    const found = await lstat(file).catch(() => undefined);
    if (found && !found.isFile()) throw new CortexError('EINVAL', 'it is not a regular file');
    await writeDurable(file, content, { mode: found ? found.mode & 0o7777 : 0o644 });
    if (remark !== undefined) process.stderr.write(`ctx: ${path}: ${remark}\n`);
  } catch (error) {
    throw whyNot(path, fromNodeError(error, { path }));
  }
}

/** The kernel's errno says that a file cannot be written; what the file is says why. */
function whyNot(path: string, error: CortexError): CortexError {
  if (error.code !== 'EPERM' && error.code !== 'EROFS') return error;
  const why = refusalOf(path);
  return why ? new CortexError(error.code, why.message, { ...why, path, cause: error }) : error;
}

function checkControl(path: string, content: string): void {
  try {
    codecOfPath(path)?.parse(content);
  } catch (error) {
    throw error instanceof CortexError ? withContext(error, { path }) : error;
  }
}
