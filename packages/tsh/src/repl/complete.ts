import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

export interface CompletionSources {
  /** Builtins and tools that may be run. */
  commands(): readonly string[];
}

/**
 * What may stand for the last word of `line`: commands for the first word, else paths. Returns the completions and the
 * text that each of them replaces.
 */
export function complete(
  line: string,
  { commands }: CompletionSources,
): [completions: string[], replaced: string] {
  const word = /(?:[^\s\\]|\\.)*$/.exec(line)![0];
  const isFirst = line.slice(0, line.length - word.length).trim() === '';
  if (isFirst) {
    const found = [...commands()].filter((name) => name.startsWith(word)).sort();
    return [found.map((name) => `${name} `), word];
  }
  return [paths(word), word];
}

function paths(word: string): string[] {
  const typed = word.replace(/\\(.)/g, '$1');
  const directory = typed.endsWith('/') ? typed : typed.includes('/') ? dirname(typed) : '.';
  const start = typed.endsWith('/') ? '' : basename(typed);
  const before = typed.slice(0, typed.length - start.length);
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
      .filter(({ name }) => !/[\x00-\x1f\x7f]/.test(name))
      .map((entry) => `${escaped(before + entry.name)}${entry.isDirectory() ? '/' : ' '}`)
      .sort();
  } catch {
    return [];
  }
}

/** The word as it must be typed for `splitWords` to read it back. */
function escaped(word: string): string {
  return word.replace(/[\s'"\\]/g, '\\$&');
}
