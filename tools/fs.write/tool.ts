import { CortexError } from '@cortexfs/abi/errors';
import { locate } from '../filesystem/locate.ts';
import { currentScope } from '../filesystem/scope.ts';
import { createFile, MAX_WRITE_BYTES, replaceFile } from '../filesystem/store-file.ts';
import { bareWord, usage, validate } from '../generated/fs.write.js';
import type { FrameTool, ToolOutput } from '../tool.ts';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
  readonly mode?: 'create' | 'replace';
}

/** fs.write: a whole file, durably and in one step (docs/tools.md). */
export const tool: FrameTool<WriteInput> = { kind: 'frames', check: validate, bareWord, usage, run: write };

async function write({ path, content, mode = 'replace' }: WriteInput, out: ToolOutput): Promise<void> {
  const bytes = Buffer.from(content);
  if (bytes.length > MAX_WRITE_BYTES) {
    throw new CortexError('EMSGSIZE', `${bytes.length} bytes are more than the limit of ${MAX_WRITE_BYTES}`, {
      path,
      layer: 'tool',
    });
  }
  const target = locate(path, currentScope(), true);
  try {
    await (mode === 'create' ? createFile : replaceFile)(target, path, bytes);
  } finally {
    target.release();
  }
  out.message(JSON.stringify({ bytes: bytes.length }));
}
