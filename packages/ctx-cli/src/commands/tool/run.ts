import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
import { standIn } from '@cortexfs/linux/stand-in';
import type { Invocation } from '../../command/command.ts';
import { fileAt } from '../../place/abi-path.ts';
import { liveRoot } from '../../place/root.ts';
import { findTool } from './find.ts';

/** `ctx tool run NAME ARG…`: as the person who types it, the same as executing the file: no agent, no agent's policy. */
export async function run({ operands }: Invocation): Promise<number> {
  const { root, name, args } = split(operands);
  if (name === undefined)
    throw new CortexError('EINVAL', 'tool run: an argument is missing', {
      hint: 'usage: ctx tool run [--root DIR] NAME [ARG…]',
    });
  const place = liveRoot(root);
  const path = findTool(place, parseObjectName(name));
  try {
    return await standIn(fileAt(place, path), args, { stdio: 'inherit' }).ended;
  } catch (error) {
    throw fromNodeError(error, { path, layer: 'tool' });
  }
}

/** What follows the name is the tool's. */
function split(words: readonly string[]): {
  root: string | undefined;
  name: string | undefined;
  args: string[];
} {
  if (words[0] === '--root') return { root: words[1], name: words[2], args: words.slice(3) };
  const root = words[0]?.startsWith('--root=') ? words[0].slice('--root='.length) : undefined;
  const rest = root === undefined ? words : words.slice(1);
  return { root, name: rest[0], args: rest.slice(1) };
}
