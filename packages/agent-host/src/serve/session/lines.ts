import type { LineLog } from './line-log.ts';

const CHUNK = 64 * 1024;
const NEWLINE = 10;

/** One line of a log with its newline; `start` is its byte offset. */
export interface Line {
  readonly start: number;
  readonly bytes: Buffer;
}

/**
 * Lines from `start` (a line's beginning) up to `end`, one chunk of the file in memory at a time: `chunkBytes` at first,
 * more when lines turn out to be longer.
 */
export function* linesForward(
  log: LineLog,
  start: number,
  end = log.size,
  chunkBytes = CHUNK,
): Generator<Line> {
  let pending: Buffer[] = [];
  let lineStart = start;
  let size = chunkBytes;
  for (let offset = start; offset < end; ) {
    const chunk = readChunk(log, offset, Math.min(size, end - offset));
    if (chunk.length === 0) return;
    offset += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const bytes = joined(pending, chunk.subarray(from, at + 1));
      pending = [];
      from = at + 1;
      yield { start: lineStart, bytes };
      lineStart += bytes.length;
    }
    if (from === 0) size = Math.min(size * 2, CHUNK);
    if (from < chunk.length) pending.push(chunk.subarray(from));
  }
  if (pending.length > 0) yield { start: lineStart, bytes: Buffer.concat(pending) };
}

function joined(before: readonly Buffer[], last: Buffer): Buffer {
  return before.length === 0 ? last : Buffer.concat([...before, last]);
}

/** Lines from `end` (a line's end) back to the beginning of the file, newest first. */
export function* linesBackward(log: LineLog, end = log.size): Generator<Line> {
  let tail: Buffer[] = [];
  let offset = end;
  while (offset > 0) {
    const length = Math.min(CHUNK, offset);
    let chunk = readChunk(log, offset - length, length);
    offset -= length;
    // A newline at the very end of what is left closes the newest line; it does not begin another one.
    for (;;) {
      const searchFrom = tail.length > 0 ? chunk.length - 1 : chunk.length - 2;
      const at = searchFrom < 0 ? -1 : chunk.lastIndexOf(NEWLINE, searchFrom);
      if (at < 0) break;
      const bytes = Buffer.concat([chunk.subarray(at + 1), ...tail]);
      tail = [];
      chunk = chunk.subarray(0, at + 1);
      yield { start: offset + at + 1, bytes };
    }
    if (chunk.length > 0) tail.unshift(chunk);
  }
  if (tail.length > 0) yield { start: 0, bytes: Buffer.concat(tail) };
}

function readChunk(log: LineLog, offset: number, length: number): Buffer {
  const chunk = Buffer.allocUnsafe(length);
  return chunk.subarray(0, log.read(chunk, offset));
}
