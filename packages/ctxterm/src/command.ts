import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';

/** The program to run and its arguments. */
export interface Command {
  file: string;
  args: string[];
}

/**
 * Finds the program before a PTY is made, so that a wrong name is an error of ours and not a line on a screen nobody
 * watches. Without words it is tsh, from beside this program.
 */
export async function findCommand(words: readonly string[], path = process.env['PATH']): Promise<Command> {
  const [name, ...args] = words;
  if (name === undefined) {
    const { findPeerBin } = await import('@cortexfs/linux/peer-bin');
    return { file: process.execPath, args: [findPeerBin('tsh')] };
  }
  const candidates = name.includes('/')
    ? [resolve(name)]
    : (path ?? '/usr/bin:/bin')
        .split(':')
        .filter(Boolean)
        .map((directory) => join(directory, name));
  const file = candidates.find(isExecutable);
  if (file !== undefined) return { file, args };
  throw new CortexError('ENOENT', 'no such program', { path: name, layer: 'terminal' });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
