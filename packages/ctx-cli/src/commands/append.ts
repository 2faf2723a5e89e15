import { readFile } from 'node:fs/promises';
import { fromNodeError } from '@cortexfs/abi/errors';
import type { Invocation } from '../command/command.ts';
import { abiPath, fileAt } from '../place/abi-path.ts';
import { liveRoot } from '../place/root.ts';
import { writeFileOf } from '../place/write-control.ts';

/** `ctx append PATH VALUE`: adds one line and writes the whole file anew, so that the result is checked as a whole. */
export async function run({ operands, root }: Invocation): Promise<number> {
  const [typed = '', value = ''] = operands;
  const place = liveRoot(root);
  const path = abiPath(place, typed);
  const content = await readFile(fileAt(place, path), 'utf8').catch((error) => {
    throw fromNodeError(error, { path });
  });
  const separator = content === '' || content.endsWith('\n') ? '' : '\n';
  await writeFileOf(place, path, `${content}${separator}${value}\n`);
  return 0;
}
