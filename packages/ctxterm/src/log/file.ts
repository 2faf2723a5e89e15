import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  statfsSync,
  writeSync,
  writev,
} from 'node:fs';
import { dirname } from 'node:path';
import { formatTimestamp } from '@cortexfs/abi/timestamp';

/** A log file is set aside when it has grown to this many bytes. */
export const ROTATE_BYTES = 64 * 1024 * 1024;
/** How long a log that could not be written stays silent before it is tried again. */
const RETRY_MS = 10_000;
/** Free space that a disk must have before a log that had filled it goes on. */
const ROOM_BYTES = 1024 * 1024;
/** IOV_MAX on Linux. */
const MOST_BUFFERS = 1024;
const ROTATION = Symbol('rotation');

export interface LogFileOptions {
  path: string;
  /** Bytes already in the file. */
  size: number;
  nextSeq: () => number;
  /** Told once for each failure. */
  failed: (error: NodeJS.ErrnoException) => void;
  rotateBytes?: number;
  retryMs?: number;
  roomBytes?: number;
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
  readonly #roomBytes: number;
  #fd: number;
  #size: number;
  /** Lines to be written, and between them the places where a new file begins. */
  #waiting: (Buffer | typeof ROTATION)[] = [];
  /** Bytes of the current file once everything that waits is written. */
  #planned: number;
  #backlog = 0;
  #writing = false;
  #written: () => void = () => {};
  #failure: { error: NodeJS.ErrnoException; retryAt: number } | undefined;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#rotateBytes = options.rotateBytes ?? ROTATE_BYTES;
    this.#retryMs = options.retryMs ?? RETRY_MS;
    this.#roomBytes = options.roomBytes ?? ROOM_BYTES;
    this.#size = options.size;
    this.#planned = options.size;
    this.#fd = openSync(options.path, 'a', 0o600);
  }

  /** Bytes that wait for the disk. */
  get backlog(): number {
    return this.#backlog;
  }

  append(line: Buffer): void {
    if (this.#failure && !this.#mended(this.#failure)) return;
    this.#add(line);
    if (this.#planned >= this.#rotateBytes) {
      this.#waiting.push(ROTATION);
      this.#planned = 0;
      this.#add(this.#record({ type: 'log.rotate', file: 'events.jsonl.1' }));
    }
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

  #add(line: Buffer): void {
    this.#waiting.push(line);
    this.#backlog += line.length;
    this.#planned += line.length;
  }

  #next(): void {
    if (this.#writing || this.#waiting.length === 0) return;
    if (this.#waiting[0] === ROTATION && !this.#rotate()) return;
    const lines = this.#nextLines();
    const wanted = lines.reduce((sum, line) => sum + line.length, 0);
    this.#writing = true;
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

  /** The lines up to the next rotation, at most as many as one system call takes. */
  #nextLines(): Buffer[] {
    const lines: Buffer[] = [];
    for (let next = this.#waiting[0]; next !== undefined && next !== ROTATION; next = this.#waiting[0]) {
      if (lines.length === MOST_BUFFERS) break;
      lines.push(next);
      this.#waiting.shift();
    }
    return lines;
  }

  #rotate(): boolean {
    this.#waiting.shift();
    try {
      renameSync(this.#options.path, `${this.#options.path}.1`);
      const fd = openSync(this.#options.path, 'a', 0o600);
      closeSync(this.#fd);
      this.#fd = fd;
      this.#size = 0;
      return true;
    } catch (error) {
      this.#fail(error as NodeJS.ErrnoException);
      return false;
    }
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.#waiting = [];
    this.#backlog = 0;
    this.#planned = this.#size;
    this.#cutHalfLine();
    if (!this.#failure) this.#options.failed(error);
    this.#failure = { error, retryAt: performance.now() + this.#retryMs };
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
    if (performance.now() < retryAt || this.#writing) return false;
    if (!this.#hasRoom()) return this.#waitAgain(error);
    const message = `output is missing here: the log could not be written (${error.code ?? error.message})`;
    const mark = this.#record({ type: 'error', code: error.code ?? 'EIO', message });
    try {
      if (writeSync(this.#fd, mark) < mark.length) throw error;
      this.#size += mark.length;
      this.#planned = this.#size;
      this.#failure = undefined;
      return true;
    } catch {
      this.#cutHalfLine();
      return this.#waitAgain(error);
    }
  }

  #waitAgain(error: NodeJS.ErrnoException): false {
    this.#failure = { error, retryAt: performance.now() + this.#retryMs };
    return false;
  }

  /** The last few blocks of a full disk would be used up at once, and the gap reported again and again. */
  #hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(dirname(this.#options.path));
    return bavail * bsize >= this.#roomBytes;
  }

  #record(fields: object): Buffer {
    const head = { seq: this.#options.nextSeq(), ts: formatTimestamp(Date.now()) };
    return Buffer.from(`${JSON.stringify({ ...head, ...fields })}\n`);
  }
}
