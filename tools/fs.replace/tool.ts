import { closeSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { toBytes } from '../filesystem/descriptor.ts';
import { type Located, locateExisting } from '../filesystem/locate.ts';
import { readPage } from '../filesystem/page.ts';
import { openRegular } from '../filesystem/regular.ts';
import { currentScope } from '../filesystem/scope.ts';
import { replaceFile } from '../filesystem/store-file.ts';
import { bareWord, usage, validate } from '../generated/fs.replace.js';
import type { FrameTool, ToolOutput } from '../tool.ts';
import { countOf, replaced } from './occurrences.ts';

/** Largest file, before and after. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

export interface ReplaceInput {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

/** fs.replace: one text by another in a file, byte for byte, whatever the rest of the file is (docs/tools.md). */
export const tool: FrameTool<ReplaceInput> = {
  kind: 'frames',
  check: validate,
  bareWord,
  usage,
  run: replace,
};

async function replace({ path, old, new: text, all = false }: ReplaceInput, out: ToolOutput): Promise<void> {
  const refused = (code: 'ENOENT' | 'EINVAL' | 'EFBIG', why: string) =>
    new CortexError(code, why, { path, layer: 'tool' });
  const target = locateExisting(path, currentScope(), true);
  try {
    const before = contentOf(target, path);
    if (before === undefined) throw refused('EFBIG', `is larger than ${MAX_FILE_BYTES} bytes`);
    const [from, to] = [toBytes(old), toBytes(text)];
    const count = countOf(before, from);
    if (count === 0) throw refused('ENOENT', 'the old text does not occur');
    if (count > 1 && !all)
      throw refused('EINVAL', `the old text occurs ${count} times; give more of it, or "all"`);
    if (before.length + count * (to.length - from.length) > MAX_FILE_BYTES) {
      throw refused('EFBIG', `would become larger than ${MAX_FILE_BYTES} bytes`);
    }
    await replaceFile(target, path, Buffer.from(replaced(before, from, to), 'latin1'));
    out.message(JSON.stringify({ replaced: count }));
  } finally {
    target.release();
  }
}

/** A byte string; undefined when the file is too large. */
function contentOf({ object }: Located & { object: number }, path: string): string | undefined {
  const fd = openRegular(object, path);
  try {
    const { bytes, more } = readPage(fd, 0, MAX_FILE_BYTES);
    return more ? undefined : bytes.toString('latin1');
  } finally {
    closeSync(fd);
  }
}
