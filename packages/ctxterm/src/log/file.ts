import { close, closeSync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync, writev } from 'node:fs';
import { formatTimestamp } from '@cortexfs/abi/timestamp';

/** A log file is set aside when it has grown to this many bytes. */
export const ROTATE_BYTES = 64 * 1024 * 1024;
/** How long a log that could not be written stays silent before it is tried again. */
const RETRY_MS = 10_000;

export interface LogFileOptions {
  path: string;
  /** Bytes already in the file. */
  size: number;
  nextSeq: () => number;
  /** Told once for each failure. */
  failed: (error: NodeJS.ErrnoException) => void;
  rotateBytes?: number;
  retryMs?: number;
}

/**
 * Appends lines to `events.jsonl` without ever holding up the terminal. At 64 MiB the file becomes `events.jsonl.1`,
 * replacing the one before, and a new one begins. When the disk is full or broken, lines are dropped until it takes
 * some again; an `error` record then marks the gap.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #rotateBytes: number;
  readonly #retryMs: number;
  #fd: number;
  #size: number;
  #waiting: Buffer[] = [];
  #backlog = 0;
  #writing = false;
  #written: () => void = () => {};
  #failure: { error: NodeJS.ErrnoException; retryAt: number } | undefined;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#rotateBytes = options.rotateBytes ?? ROTATE_BYTES;
    this.#retryMs = options.retryMs ?? RETRY_MS;
    this.#size = options.size;
    this.#fd = openSync(options.path, 'a', 0o600);
  }

  /** Bytes that wait for the disk. */
  get backlog(): number {
    return this.#backlog;
  }

  append(line: Buffer): void {
    if (this.#failure && !this.#mended(this.#failure)) return;
    this.#waiting.push(line);
    this.#backlog += line.length;
    this.#next();
  }

  /** Resolves when everything is on the disk, or cannot be brought there. */
  async close(): Promise<void> {
    while (this.#writing) await new Promise<void>((resolve) => (this.#written = resolve));
    try {
      fsyncSync(this.#fd);
    } catch {
      // Reported when the write failed; a log that cannot be finished must not keep the program from ending.
    }
    closeSync(this.#fd);
  }

  #next(): void {
    if (this.#writing || this.#waiting.length === 0) return;
    if (this.#size >= this.#rotateBytes) this.#rotate();
    const lines = this.#waiting;
    this.#waiting = [];
    this.#writing = true;
    const wanted = lines.reduce((sum, line) => sum + line.length, 0);
    writev(this.#fd, lines, (error, written) => {
      this.#writing = false;
      this.#backlog -= wanted;
      if (error || written < wanted) {
        this.#fail(error ?? Object.assign(new Error('short write'), { code: 'ENOSPC' }));
      } else {
        this.#size += wanted;
        this.#next();
      }
      this.#written();
    });
  }

  #rotate(): void {
    const aside = `${this.#options.path}.1`;
    try {
      renameSync(this.#options.path, aside);
      const fd = openSync(this.#options.path, 'a', 0o600);
      close(this.#fd, () => {});
      this.#fd = fd;
      this.#size = 0;
      const record = this.#record({ type: 'log.rotate', file: 'events.jsonl.1' });
      this.#waiting.unshift(record);
      this.#backlog += record.length;
    } catch (error) {
      this.#fail(error as NodeJS.ErrnoException);
    }
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.#backlog -= this.#waiting.reduce((sum, line) => sum + line.length, 0);
    this.#waiting = [];
    this.#cutHalfLine();
    if (!this.#failure) this.#options.failed(error);
    this.#failure = { error, retryAt: Date.now() + this.#retryMs };
  }

  /** A batch that was written in part is dropped whole, so that the file always ends with a whole line. */
  #cutHalfLine(): void {
    try {
      ftruncateSync(this.#fd, this.#size);
    } catch {
      // Found and cut off by the next start.
    }
  }

  /** After a failure: whether the disk now takes the record that marks the gap. */
  #mended({ error, retryAt }: { error: NodeJS.ErrnoException; retryAt: number }): boolean {
    if (Date.now() < retryAt || this.#writing) return false;
    const message = `output is missing here: the log could not be written (${error.code ?? error.message})`;
    const mark = this.#record({ type: 'error', code: error.code ?? 'EIO', message });
    try {
      if (writeSync(this.#fd, mark) < mark.length) throw error;
      this.#size += mark.length;
      this.#failure = undefined;
      return true;
    } catch {
      this.#cutHalfLine();
      this.#failure = { error, retryAt: Date.now() + this.#retryMs };
      return false;
    }
  }

  #record(fields: object): Buffer {
    const head = { seq: this.#options.nextSeq(), ts: formatTimestamp(Date.now()) };
    return Buffer.from(`${JSON.stringify({ ...head, ...fields })}\n`);
  }
}
