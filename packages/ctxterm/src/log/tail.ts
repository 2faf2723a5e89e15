import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { decodeFrame } from '@cortexfs/abi/jsonl';
import { parseTerminalRecord, type TerminalRecord } from '@cortexfs/abi/session/terminal';

/** Longer than any record. */
const WINDOW = 1024 * 1024;

export interface LogTail {
  size: number;
  /** The last whole record; undefined in an empty log. */
  last: TerminalRecord | undefined;
}

/** Reads the end of a log and cuts off a record that a crash left unfinished. */
export function mendTail(path: string): LogTail {
  const fd = openSync(path, 'r+');
  try {
    const { size } = fstatSync(fd);
    const start = Math.max(0, size - WINDOW);
    const bytes = Buffer.alloc(size - start);
    readSync(fd, bytes, 0, bytes.length, start);
    const whole = bytes.lastIndexOf(0x0a) + 1;
    if (whole < bytes.length) ftruncateSync(fd, start + whole);
    return { size: start + whole, last: lastRecord(bytes.subarray(0, whole)) };
  } finally {
    closeSync(fd);
  }
}

/** The last line that is a record; damaged ones after it are passed over. */
function lastRecord(lines: Buffer): TerminalRecord | undefined {
  for (let end = lines.length - 1; end > 0; ) {
    const start = lines.lastIndexOf(0x0a, end - 1) + 1;
    try {
      return parseTerminalRecord(decodeFrame(lines.subarray(start, end)));
    } catch {
      end = start - 1;
    }
  }
  return undefined;
}
