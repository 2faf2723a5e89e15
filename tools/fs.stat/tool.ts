import { basename } from 'node:path/posix';
import { statHeld } from '../filesystem/descriptor.ts';
import { entryOf } from '../filesystem/entry.ts';
import { locateExisting } from '../filesystem/locate.ts';
import { currentScope } from '../filesystem/scope.ts';
import { bareWord, usage, validate } from '../generated/fs.stat.js';
import type { FrameTool, ToolOutput } from '../tool.ts';

export interface StatInput {
  readonly path: string;
}

/** fs.stat: one object as JSON; a symbolic link is described, not followed (docs/tools.md). */
export const tool: FrameTool<StatInput> = { kind: 'frames', check: validate, bareWord, usage, run: describe };

function describe({ path }: StatInput, out: ToolOutput): void {
  const found = locateExisting(path, currentScope(), false);
  try {
    out.message(JSON.stringify(entryOf(basename(found.canonical) || '/', statHeld(found.object))));
  } finally {
    found.release();
  }
}
