import { readSync } from 'node:fs';

/** Linux reads no more of a first line. */
const LONGEST_FIRST_LINE = 256;

/**
 * The options of a script that begins with `#!/usr/bin/env node` (or `env -S node OPTION…`); undefined for anything else. Such a script runs with
 * the node that runs CortexFS: a sandbox shows that one wherever it lies, while `env` looks in /usr/bin alone.
 */
export function nodeOptions(fd: number): string[] | undefined {
  const buffer = Buffer.alloc(LONGEST_FIRST_LINE);
  const beginning = buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0));
  return optionsOf(beginning);
}

export function optionsOf(beginning: string): string[] | undefined {
  const line = /^#![ \t]*\/usr\/bin\/env[ \t]+(?:-S[ \t]*)?node(?:[ \t]+([^\n]*?))?[ \t]*\n/.exec(beginning);
  if (line === null) return undefined;
  return line[1] === undefined || line[1] === '' ? [] : line[1].split(/[ \t]+/);
}
