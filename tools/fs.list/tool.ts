import { lstatSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { inDirectory, statHeld } from '../filesystem/descriptor.ts';
import { type Entry, entryOf } from '../filesystem/entry.ts';
import { kindOf } from '../filesystem/kind.ts';
import { locateExisting } from '../filesystem/locate.ts';
import { refuse } from '../filesystem/refuse.ts';
import { currentScope } from '../filesystem/scope.ts';
import { bareWord, usage, validate } from '../generated/fs.list.js';
import type { FrameTool, ToolOutput } from '../tool.ts';
import { pageOfNames } from './names.ts';

export const MAX_ENTRIES = 1000;

export interface ListInput {
  readonly path: string;
  readonly max_entries?: number;
  readonly after?: string;
}

/** fs.list: a directory's entries in byte order of their names, in pages (docs/tools.md). */
export const tool: FrameTool<ListInput> = { kind: 'frames', check: validate, bareWord, usage, run: list };

function list({ path, max_entries = MAX_ENTRIES, after = '' }: ListInput, out: ToolOutput): void {
  const found = locateExisting(path, currentScope(), true);
  try {
    const kind = kindOf(statHeld(found.object));
    if (kind !== 'directory') {
      throw new CortexError('ENOTDIR', `is a ${kind}, not a directory`, { path, layer: 'tool' });
    }
    const page = pageOfNames(found.object, after, max_entries);
    const entries = page.names.flatMap((name) => entryIn(found.object, name) ?? []);
    const notes = page.more ? [`\n${JSON.stringify({ truncated: true, next_after: page.last })}`] : [];
    out.message(JSON.stringify(entries), ...notes);
  } catch (err) {
    throw refuse(err, path);
  } finally {
    found.release();
  }
}

/** Undefined when the entry is gone since the directory was read. */
function entryIn(directory: number, name: string): Entry | undefined {
  const stat = lstatSync(inDirectory(directory, name), { throwIfNoEntry: false });
  return stat && entryOf(name, stat);
}
