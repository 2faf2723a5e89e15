import type { LineLog } from './line-log.ts';
import { type Line, linesForward } from './lines.ts';
import { readSeq } from './stored-event.ts';

/** Most events are short: one small read finds where a line ends. */
const PROBE_BYTES = 1024;
/** How far before the end the first look goes. */
const FIRST_STEP = 2048;

/**
 * Byte offset of the first event whose seq is above `seq`, or the log's size.
 * The file itself is bisected: seq grows with the offset, so no index exists that could disagree with the log. Whoever
 * resumes missed a little most of the time, so the end is looked at first, in growing steps backwards. Costs reads of at
 * most two lines each, as many as the logarithm of the bytes that follow.
 */
export function offsetAfter(log: LineLog, seq: number): number {
  let found = log.size;
  let low = 0;
  let high = log.size;
  // Invariant: lines that begin before `low` have a seq up to `seq`; of those that begin at or after `high`, the first above it is `found`.
  for (let back = FIRST_STEP; low < high; back *= 4) {
    const middle = low === 0 && back < log.size ? log.size - back : Math.floor((low + high) / 2);
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
