import { heldPath, statHeld } from '../filesystem/descriptor.ts';
import { locateExisting } from '../filesystem/locate.ts';
import { refuse } from '../filesystem/refuse.ts';
import { checkRegular } from '../filesystem/regular.ts';
import { currentScope } from '../filesystem/scope.ts';
import { bareWord, usage, validate } from '../generated/fs.search.js';
import { installedProgram } from '../program/system-program.ts';
import type { FrameTool, ToolOutput } from '../tool.ts';
import type { Match, Search } from './match.ts';

export const DEFAULT_MAX = 100;

export interface SearchInput {
  readonly path: string;
  readonly pattern: string;
  readonly glob?: string;
  readonly max?: number;
}

/** fs.search: lines that match, in the order of files and lines (docs/tools.md). */
export const tool: FrameTool<SearchInput> = { kind: 'frames', check: validate, bareWord, usage, run: search };

async function search(input: SearchInput, out: ToolOutput): Promise<void> {
  const { path, max = DEFAULT_MAX } = input;
  const found = locateExisting(path, currentScope(), true);
  try {
    const matches = await matchesAt(found.object, { ...input, max });
    const notes = matches.length > max ? [`\n${JSON.stringify({ truncated: true })}`] : [];
    out.message(JSON.stringify(matches.slice(0, max)), ...notes);
  } catch (error) {
    throw refuse(error, path);
  } finally {
    found.release();
  }
}

async function matchesAt(
  object: number,
  { path, pattern, glob, max }: SearchInput & { max: number },
): Promise<Match[]> {
  const wanted: Search = { place: heldPath(object), shown: path, pattern, glob, most: max + 1 };
  const isDirectory = statHeld(object).isDirectory();
  if (!isDirectory) checkRegular(object, path);
  const program = isDirectory ? installedProgram('rg') : undefined;
  if (program !== undefined) return (await import('./ripgrep.ts')).ripgrep(program, wanted);
  return (await import('./own-search.ts')).ownSearch(wanted, object);
}
