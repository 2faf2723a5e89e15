import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { canonicalJson, type JsonObject } from '@cortexfs/abi/json';
import type { RunId } from '@cortexfs/abi/names';
import type { EventLog } from './event-log.ts';
import { LineLog } from './line-log.ts';
import { linesForward } from './lines.ts';
import { makePrivate } from './session-files.ts';
import { parseEvent, readHead } from './stored-event.ts';

/** What a request id stands for once its run began. */
export interface RecordedRequest {
  readonly run: RunId;
  /** seq of the run's `start` event. */
  readonly seq: number;
  /** Digest of the request's payload. */
  readonly sha256: string;
}

/**
 * Which request ids of a session were used, so that nothing runs twice (docs/host.md, "Requests").
 * The truth is in the `start` events; `context/requests.jsonl` repeats it so that a long session opens fast,
 * and is rebuilt when it is missing or `trusted` is false.
 */
export class RequestLedger {
  readonly #file: LineLog;
  readonly #requests = new Map<string, RecordedRequest>();
  #whole = true;

  private constructor(file: LineLog) {
    this.#file = file;
  }

  static open(path: string, events: EventLog, trusted: boolean): RequestLedger {
    // The directory holds caches only, and people may delete it.
    makePrivate(dirname(path));
    if (!trusted) unlinkSyncIfPresent(path);
    return RequestLedger.on(LineLog.open(path), events);
  }

  static on(log: LineLog, events: EventLog): RequestLedger {
    const ledger = new RequestLedger(log);
    if (!ledger.#load()) {
      ledger.#file.truncate(0);
      ledger.#requests.clear();
      ledger.#rebuild(events);
    }
    return ledger;
  }

  get(id: string): RecordedRequest | undefined {
    return this.#requests.get(id);
  }

  /** What cannot be written is known for as long as the host lives; the file is emptied, so that the next one makes it anew. */
  record(id: string, request: RecordedRequest): void {
    this.#requests.set(id, request);
    try {
      if (this.#whole) this.#file.append(Buffer.from(`${JSON.stringify({ id, ...request })}\n`));
    } catch {
      this.#forget();
    }
  }

  /** On the disk before the session says that it is at rest: only then is the file trusted. */
  async sync(): Promise<void> {
    if (this.#whole) await this.#file.sync().catch(() => this.#forget());
  }

  /** Emptying a file takes no space. */
  #forget(): void {
    this.#whole = false;
    this.#file.truncate(0);
  }

  close(): void {
    this.#file.close();
  }

  /** False when there is nothing or something unreadable in the file. */
  #load(): boolean {
    if (this.#file.size === 0) return false;
    try {
      for (const line of linesForward(this.#file, 0)) {
        const { id, run, seq, sha256 } = JSON.parse(line.bytes.toString('utf8')) as RecordedRequest & {
          id: string;
        };
        this.#requests.set(id, { run, seq, sha256 });
      }
      return true;
    } catch {
      return false;
    }
  }

  #rebuild(events: EventLog): void {
    for (const line of linesForward(events.log, 0)) {
      if (readHead(line.bytes).type !== 'start') continue;
      const { request_id: id, request_sha256: sha256, run, seq } = parseEvent(line.bytes);
      if (typeof id === 'string' && typeof sha256 === 'string' && run !== undefined) {
        this.record(id, { run, seq, sha256 });
      }
    }
  }
}

/** Equal for equal payloads, whatever their key order; the id itself is not part of it. */
export function payloadDigest(payload: object): string {
  return createHash('sha256')
    .update(canonicalJson(payload as JsonObject))
    .digest('hex');
}

function unlinkSyncIfPresent(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
