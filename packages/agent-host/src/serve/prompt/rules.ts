import { posix } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';

/** Largest AGENTS.md that is read. */
export const MAX_RULES_BYTES = 32 * 1024;

/** One place where rules may stand. `read` gives the text of AGENTS.md in a directory below it, or undefined. */
export interface RulesSource {
  /** How the place is called for the model: `/workspace`, `global`. */
  readonly title: string;
  /** Directories to look in, relative, outermost first. */
  readonly directories: readonly string[];
  readonly read: (path: string) => string | undefined;
}

/**
 * The merged AGENTS.md rules, global ones first, then the project's from its root down to the working directory.
 * A file that cannot be read (too long, a link, no text) is named and left out.
 */
export function collectRules(sources: readonly RulesSource[]): string {
  const parts: string[] = [];
  for (const { title, directories, read } of sources) {
    for (const directory of directories) {
      const path = posix.join(directory, 'AGENTS.md');
      const shown = posix.join(title, path);
      const text = readOrExplain(() => read(path), shown);
      if (text !== undefined && text.trim() !== '') parts.push(`Rules from ${shown}:\n\n${text.trim()}`);
    }
  }
  return parts.join('\n\n');
}

/** From the top of the project to where the agent works: `''`, `a`, `a/b`. */
export function directoriesDownTo(relative: string): string[] {
  const names = relative.split('/').filter((name) => name !== '' && name !== '.');
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

function readOrExplain(read: () => string | undefined, shown: string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CortexError) return `(${shown} was left out: ${error.message})`;
    throw error;
  }
}
