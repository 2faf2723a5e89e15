import { closeSync, constants, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { drain } from './drain.ts';
import { foregroundGroup } from './foreground.ts';
import { PtyInput } from './input.ts';
import { type PtyAddon, ptyAddon } from './native.ts';

export interface PtyOptions {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  cols: number;
  rows: number;
}

/** How the program ended: exactly one of the two says something. */
export interface PtyExit {
  exitCode: number;
  /** Signal number, 0 when the program exited by itself. */
  signal: number;
}

export interface PtyEvents {
  data(chunk: Buffer): void;
  /** Comes last, after every byte of output was handed to `data`. */
  exit(how: PtyExit): void;
}

/**
 * One program on a pseudo-terminal of its own.
 *
 * The slave is held open here until the program has been reaped: otherwise the event loop takes the
 * hang-up of a short-lived program for the end of the stream and drops output the kernel still holds.
 */
export class PtyProcess {
  readonly pid: number;
  readonly #addon: PtyAddon;
  readonly #events: PtyEvents;
  readonly #master: number;
  readonly #slave: number;
  readonly #stream: ReadStream;
  readonly #input: PtyInput;
  #ended = false;

  constructor(options: PtyOptions, events: PtyEvents) {
    this.#events = events;
    this.#addon = ptyAddon();
    const forked = this.#addon.fork(
      options.file,
      [...options.args],
      environmentList(options.env),
      options.cwd,
      options.cols,
      options.rows,
      -1,
      -1,
      true,
      '',
      (exitCode, signal) => this.#finish({ exitCode, signal }),
    );
    this.pid = forked.pid;
    this.#master = forked.fd;
    this.#slave = openSync(forked.pty, constants.O_RDWR | constants.O_NOCTTY);
    this.#input = new PtyInput(forked.fd);
    this.#stream = new ReadStream(forked.fd);
    this.#stream.on('data', (chunk: Buffer) => events.data(chunk));
    // The exit of the program tells whatever a read error could.
    this.#stream.on('error', () => {});
  }

  /** False when the program has left too much earlier input unread: nothing of `bytes` was taken then. */
  write(bytes: Uint8Array): boolean {
    return !this.#ended && this.#input.write(bytes);
  }

  resize(cols: number, rows: number): void {
    if (!this.#ended) this.#addon.resize(this.#master, cols, rows);
  }

  /** Sends to the foreground process group; false when there is none to send to. */
  signalForeground(signal: NodeJS.Signals): boolean {
    const group = this.#ended ? undefined : foregroundGroup(this.pid);
    return group !== undefined && send(-group, signal);
  }

  /** Sends to the program itself and its own process group. */
  signal(signal: NodeJS.Signals): boolean {
    return !this.#ended && send(-this.pid, signal);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    if (!this.#ended) this.#stream.resume();
  }

  #finish(how: PtyExit): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#input.close();
    // What the stream already took from the kernel comes before what is still there. Without the listener, which
    // would be told of each read as well.
    this.#stream.removeAllListeners('data');
    this.#stream.pause();
    for (let chunk = this.#stream.read(); chunk !== null; chunk = this.#stream.read())
      this.#events.data(chunk);
    for (const chunk of drain(this.#master)) this.#events.data(chunk);
    closeSync(this.#slave);
    this.#stream.destroy();
    this.#events.exit(how);
  }
}

function environmentList(env: PtyOptions['env']): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
