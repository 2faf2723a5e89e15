import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
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
  const child = spawn(fileAt(place, path), args, { stdio: 'inherit' });
  // The terminal delivers these to the whole group: waiting for the tool is enough.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(fromNodeError(error, { path, layer: 'tool' })));
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
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
