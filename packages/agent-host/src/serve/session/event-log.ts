import type { EventBody } from '@cortexfs/abi/frames/event';
import { type EventId, eventId } from '@cortexfs/abi/frames/event-id';
import { LineLog } from './line-log.ts';
import { linesBackward } from './lines.ts';
import { offsetAfter } from './locate.ts';
import {
  type EventHead,
  formatEvent,
  parseEvent,
  readHead,
  readSeq,
  type StoredEvent,
} from './stored-event.ts';
import { repairTail, type TornTail } from './torn-tail.ts';

/** Where an appended event stands. */
export interface EventPosition {
  readonly id: EventId;
  readonly seq: number;
  /** Byte offset of its line. */
  readonly offset: number;
}

/**
 * events.jsonl: the truth about what happened in a session (docs/host.md, "Events").
 * Every line is exactly the frame that clients get; `seq` grows by one from 1.
 */
export class EventLog {
  readonly log: LineLog;
  readonly torn: TornTail | undefined;
  #seq: number;
  readonly #waiting = new Set<() => void>();

  private constructor(log: LineLog) {
    this.log = log;
    this.torn = repairTail(log, readSeq);
    this.#seq = lastSeq(log);
  }

  static open(path: string): EventLog {
    return EventLog.on(LineLog.open(path));
  }

  static on(log: LineLog): EventLog {
    return new EventLog(log);
  }

  /** seq of the newest event; 0 when there is none. */
  get seq(): number {
    return this.#seq;
  }

  get lastId(): EventId | null {
    return this.#seq === 0 ? null : eventId(this.#seq);
  }

  append(body: EventBody): EventPosition {
    const seq = this.#seq + 1;
    const offset = this.log.append(formatEvent(seq, new Date().toISOString(), body));
    this.#seq = seq;
    this.#wake();
    return { id: eventId(seq), seq, offset };
  }

  sync(): Promise<void> {
    return this.log.sync();
  }

  offsetAfter(seq: number): number {
    if (seq >= this.#seq) return this.log.size;
    return seq <= 0 ? 0 : offsetAfter(this.log, seq);
  }

  /** Newest first. */
  *backward(): Generator<StoredEvent> {
    for (const line of linesBackward(this.log)) yield parseEvent(line.bytes);
  }

  /** As `backward`, reading only the leading keys. */
  *headsBackward(): Generator<EventHead> {
    for (const line of linesBackward(this.log)) yield readHead(line.bytes);
  }

  /** Resolves when the log has grown beyond `size`, or when `signal` is aborted. */
  grown(size: number, signal?: AbortSignal): Promise<void> {
    if (this.log.size > size || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }

  close(): void {
    this.#wake();
    this.log.close();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

function lastSeq(log: LineLog): number {
  for (const line of linesBackward(log)) return readSeq(line.bytes);
  return 0;
}
