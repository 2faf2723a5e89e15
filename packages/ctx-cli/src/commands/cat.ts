import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { ControlStripper } from '@cortexfs/abi/terminal-text';
import type { Invocation } from '../command/command.ts';
import { abiPath, fileAt } from '../place/abi-path.ts';
import { liveRoot } from '../place/root.ts';

/** `ctx cat PATH`: the bytes of a regular file of the root; on a terminal its text, without control characters. */
export async function run({ operands, root }: Invocation): Promise<number> {
  const place = liveRoot(root);
  const path = abiPath(place, operands[0] ?? '');
  let file: FileHandle | undefined;
  try {
    file = await openRegular(fileAt(place, path), path);
    const bytes = file.createReadStream({ autoClose: false });
    await (process.stdout.isTTY
      ? pipeline(bytes.setEncoding('utf8'), safely, process.stdout, { end: false })
      : pipeline(bytes, process.stdout, { end: false }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw fromNodeError(error, { path });
  } finally {
    await file?.close();
  }
  return 0;
}

async function* safely(pieces: AsyncIterable<string>) {
  const stripper = new ControlStripper();
  for await (const piece of pieces) yield stripper.push(piece);
  yield stripper.end();
}

/** Opened without blocking, so that a FIFO is refused and not waited for. */
async function openRegular(file: string, path: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const stat = await handle.stat();
  if (stat.isFile()) return handle;
  await handle.close();
  if (stat.isDirectory())
    throw new CortexError('EISDIR', 'it is a directory', { path, hint: `ctx ls ${path}` });
  throw new CortexError('EINVAL', 'it is not a regular file', { path });
}
