import type { EventLog } from './event-log.ts';
import { linesForward } from './lines.ts';
import { readHead } from './stored-event.ts';

/** Lines are handed on in pieces of about this many bytes; a single longer line is one piece. */
const PIECE_BYTES = 64 * 1024;

/** The stored lines between two offsets, in pieces of whole lines. Constant memory: the next piece is read when asked for. */
export function* storedEvents(events: EventLog, start: number, end: number): Generator<Buffer> {
  const piece = new Piece();
  for (const line of linesForward(events.log, start, end)) {
    piece.add(line.bytes);
    if (piece.bytes >= PIECE_BYTES) yield piece.take();
  }
  if (piece.bytes > 0) yield piece.take();
}

/**
 * The events of one run from `start` up to its `done`, first from the disk, then as they are appended: one path for live
 * and past events, so that a paused reader costs no memory. Ends early when `signal` is aborted.
 */
export async function* runEvents(
  events: EventLog,
  run: string,
  start: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let offset = start; !signal?.aborted; ) {
    const end = events.log.size;
    const piece = new Piece();
    for (const line of linesForward(events.log, offset, end)) {
      offset = line.start + line.bytes.length;
      const head = readHead(line.bytes);
      if (head.run !== run) continue;
      piece.add(line.bytes);
      if (head.type === 'done') {
        yield piece.take();
        return;
      }
      if (piece.bytes >= PIECE_BYTES) {
        yield piece.take();
        if (signal?.aborted) return;
      }
    }
    if (piece.bytes > 0) yield piece.take();
    await events.grown(offset, signal);
  }
}

class Piece {
  bytes = 0;
  #lines: Buffer[] = [];

  add(line: Buffer): void {
    this.#lines.push(line);
    this.bytes += line.length;
  }

  take(): Buffer {
    const whole = this.#lines.length === 1 ? this.#lines[0]! : Buffer.concat(this.#lines);
    this.#lines = [];
    this.bytes = 0;
    return whole;
  }
}
