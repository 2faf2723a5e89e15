import { readSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { parseJsonObject } from '@cortexfs/abi/json';
import { decodeUtf8, MAX_FRAME_BYTES } from '@cortexfs/abi/jsonl';
import { list, object, readAs, text } from '@cortexfs/abi/shape';

const input = object({ args: list(text({ maxBytes: 64 * 1024 }), 256) }, { strict: true });

/** The words of the tool input `{"args":[WORD,…]}`, 1 to 256 of at most 64 KiB each, from standard input. */
export function wordsFromInput(): string[] {
  return parseInput(decodeUtf8(readAll(0)));
}

export function parseInput(json: string): string[] {
  const { args } = readAs('input', input, parseJsonObject(json));
  if (args.length === 0) throw new CortexError('EINVAL', 'invalid input: "args" is empty', { layer: 'tool' });
  return args;
}

function readAll(fd: number): Buffer {
  const bytes = Buffer.alloc(MAX_FRAME_BYTES + 1);
  let length = 0;
  for (let count = -1; count !== 0; length += count) {
    if (length === bytes.length)
      throw new CortexError('EMSGSIZE', 'the input is longer than 1 MiB', { layer: 'tool' });
    count = readSync(fd, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
}
