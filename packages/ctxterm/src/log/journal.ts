import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TERMINAL_FILES } from '@cortexfs/abi/paths/session';
import type { TerminalRecord } from '@cortexfs/abi/session/terminal';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import { LogFile } from './file.ts';
import { mendTail } from './tail.ts';

type Distributed<T> = T extends unknown ? Omit<T, 'seq' | 'ts'> : never;
/** What the journal is told; number and time are its own. */
export type JournalEntry = Distributed<Exclude<TerminalRecord, { type: 'pty.output' }>>;

/**
 * After a crash some numbers may have been told to clients and not be in the log; a new start leaves this many out,
 * so that none is ever used twice.
 */
const CRASH_GAP = 1 << 20;

/** Numbers everything that happens to a terminal and, given a directory, keeps it in `events.jsonl` there. */
export class Journal {
  #seq: number;
  readonly #file: LogFile | undefined;

  constructor(directory: string | undefined, failed: (error: NodeJS.ErrnoException) => void) {
    if (directory === undefined) {
      this.#seq = 0;
      return;
    }
    const path = join(directory, TERMINAL_FILES.events);
    const { size, seq } = continued(path);
    this.#seq = seq;
    this.#file = new LogFile({ path, size, nextSeq: () => ++this.#seq, failed });
  }

  /** The number of the last record, 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  get backlog(): number {
    return this.#file?.backlog ?? 0;
  }

  record(entry: JournalEntry): number {
    const seq = ++this.#seq;
    const line = JSON.stringify({ seq, ts: formatTimestamp(Date.now()), ...entry });
    this.#file?.append(Buffer.from(`${line}\n`));
    return seq;
  }

  /** The same for output, which comes in such numbers that its text is put together by hand. */
  output(base64: string): number {
    const seq = ++this.#seq;
    if (this.#file) {
      const ts = formatTimestamp(Date.now());
      const line = `{"seq":${seq},"ts":"${ts}","type":"pty.output","data_b64":"${base64}"}\n`;
      this.#file.append(Buffer.from(line, 'latin1'));
    }
    return seq;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

/** Where the log of an earlier start left off. */
function continued(path: string): { size: number; seq: number } {
  const older = lastOf(`${path}.1`);
  const newer = lastOf(path);
  const size = existsSync(path) ? statSync(path).size : 0;
  const last = newer ?? older;
  if (last === undefined) return { size, seq: 0 };
  const ended = last.type === 'process.exit';
  return { size, seq: ended ? last.seq : last.seq + CRASH_GAP };
}

function lastOf(path: string): TerminalRecord | undefined {
  return existsSync(path) ? mendTail(path).last : undefined;
}
