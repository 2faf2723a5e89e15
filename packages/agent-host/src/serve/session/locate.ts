import type { LineLog } from './line-log.ts';
import { type Line, linesForward } from './lines.ts';
import { readSeq } from './stored-event.ts';

/** Most events are short: one small read finds where a line ends. */
const PROBE_BYTES = 1024;

/**
 * Byte offset of the first event whose seq is above `seq`, or the log's size.
 * The file itself is bisected: seq grows with the offset, so no index exists that could disagree with the log.
 * Costs O(log size) reads of at most two lines each.
 */
export function offsetAfter(log: LineLog, seq: number): number {
  let found = log.size;
  let low = 0;
  let high = log.size;
  // Invariant: lines that begin before `low` have a seq up to `seq`; of those that begin at or after `high`, the first above it is `found`.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const line = firstLineFrom(log, middle);
    if (line === undefined || line.start >= high) {
      high = middle;
    } else if (readSeq(line.bytes) > seq) {
      found = line.start;
      high = middle;
    } else {
      low = line.start + line.bytes.length;
    }
  }
  return found;
}

/** The first line that begins at or after `offset`. */
function firstLineFrom(log: LineLog, offset: number): Line | undefined {
  if (offset === 0) return lineAt(log, 0);
  const before = lineAt(log, offset - 1);
  return before === undefined ? undefined : lineAt(log, before.start + before.bytes.length);
}

function lineAt(log: LineLog, offset: number): Line | undefined {
  for (const line of linesForward(log, offset, log.size, PROBE_BYTES)) return line;
  return undefined;
}
