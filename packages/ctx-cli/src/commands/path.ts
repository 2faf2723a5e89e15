import { lstatSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
import type { Invocation } from '../command/command.ts';
import { fileAt } from '../place/abi-path.ts';
import { liveRoot } from '../place/root.ts';

/** `ctx path shared NAME`: the absolute path of a shared space. */
export async function run({ operands, root, json }: Invocation): Promise<number> {
  const [kind, name = ''] = operands;
  if (kind !== 'shared')
    throw new CortexError('EINVAL', `${JSON.stringify(kind)} is no kind of place`, { hint: 'shared' });
  const path = `shared/${parseObjectName(name)}`;
  const place = liveRoot(root);
  const absolute = fileAt(place, path);
  if (!lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory())
    throw new CortexError('ENOENT', 'there is no such shared space', { path, hint: `mkdir ${absolute}` });
  process.stdout.write(json ? `${JSON.stringify({ name, path, absolute })}\n` : `${absolute}\n`);
  return 0;
}
