import { accessSync, constants, statSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type { TerminalTool } from '../tool.ts';

/** PATH is not asked: it may belong to whoever calls the tool. */
const DIRECTORIES = ['/usr/local/bin', '/usr/bin', '/bin'];

/** A tool that is a program of the system. EHOSTDOWN when it is not installed. */
export function systemProgram(name: string, directories: readonly string[] = DIRECTORIES): TerminalTool {
  return { kind: 'terminal', command: (args) => ({ program: find(name, directories), args }) };
}

/** Where a program of the system is; undefined when it is not installed. */
export function installedProgram(
  name: string,
  directories: readonly string[] = DIRECTORIES,
): string | undefined {
  return directories.map((directory) => `${directory}/${name}`).find(isExecutable);
}

function find(name: string, directories: readonly string[]): string {
  const path = installedProgram(name, directories);
  if (path !== undefined) return path;
  throw new CortexError('EHOSTDOWN', `the program ${name} is not installed here`, {
    path: `tool/${name}`,
    layer: 'tool',
    hint: `install the package ${name}`,
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
