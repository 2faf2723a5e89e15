import { closeSync } from 'node:fs';
import { locateExisting } from '../filesystem/locate.ts';
import { type Page, readPage } from '../filesystem/page.ts';
import { openRegular } from '../filesystem/regular.ts';
import { currentScope } from '../filesystem/scope.ts';
import { bareWord, usage, validate } from '../generated/fs.read.js';
import type { FrameTool, ToolOutput } from '../tool.ts';
import { textOf } from './text.ts';

/** Most bytes of a file that one call returns. */
export const MAX_READ_BYTES = 1024 * 1024;

export interface ReadInput {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** fs.read: a piece of a file as text or base64, and where to go on when it was cut (docs/tools.md). */
export const tool: FrameTool<ReadInput> = { kind: 'frames', check: validate, bareWord, usage, run: read };

function read({ path, offset = 0, limit = MAX_READ_BYTES }: ReadInput, out: ToolOutput): void {
  const page = pageOf(path, offset, limit);
  const text = textOf(page.bytes, page.more);
  const length = text?.length ?? page.bytes.length;
  const note = {
    ...(text === undefined ? { encoding: 'base64' } : {}),
    ...(page.more ? { truncated: true, next_offset: offset + length } : {}),
  };
  const notes = Object.keys(note).length === 0 ? [] : [`\n${JSON.stringify(note)}`];
  out.message(text?.text ?? page.bytes.toString('base64'), ...notes);
}

function pageOf(path: string, offset: number, limit: number): Page {
  const found = locateExisting(path, currentScope(), true);
  try {
    const fd = openRegular(found.object, path);
    try {
      return readPage(fd, offset, limit);
    } finally {
      closeSync(fd);
    }
  } finally {
    found.release();
  }
}
