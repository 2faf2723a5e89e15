import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parseJsonObject } from '@cortexfs/abi/json';
import { parseTerminalRecord } from '@cortexfs/abi/session/terminal';

export interface TerminalExit {
  readonly exit_code: number | null;
  readonly signal: string | null;
}

/** Records after an exit are few and short: clients that leave. */
const TAIL_BYTES = 64 * 1024;

/** How a terminal's program ended, from the end of its event log; undefined when that does not say. */
export function lastExit(log: string): TerminalExit | undefined {
  for (const line of tail(log).split('\n').reverse()) {
    try {
      const record = parseTerminalRecord(parseJsonObject(line));
      if (record.type === 'process.exit') return { exit_code: record.exit_code, signal: record.signal };
    } catch {
      // The first line of a tail is cut, and a crash may have left half a line.
    }
  }
  return undefined;
}

function tail(log: string): string {
  const fd = openSync(log, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, size - buffer.length));
  } finally {
    closeSync(fd);
  }
}
