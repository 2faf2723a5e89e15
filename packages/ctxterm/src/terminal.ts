import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalOpening, TerminalRequest, TerminalSize } from '@cortexfs/abi/frames/terminal';
import { TERMINAL_SCHEMA } from '@cortexfs/abi/frames/terminal';
import { TerminalFilter } from '@cortexfs/abi/terminal/filter';
import type { Journal } from './log/journal.ts';
import type { Resource } from './log/resource.ts';
import { Coalescer } from './output/coalescer.ts';
import { frame, outputFrame } from './output/frames.ts';
import type { Remembered } from './output/history.ts';
import { Stream } from './output/stream.ts';
import { type PtyExit, type PtyOptions, PtyProcess } from './pty/process.ts';
import type { Screen } from './screen/screen.ts';
import type { Client, ClientHost } from './socket/client.ts';
import { Clients } from './socket/clients.ts';
import { inputRefused, signalRefused } from './socket/refusal.ts';

/** The program is held back while more than this many bytes wait for the screen or the disk. */
const BACKLOG_HIGH = 512 * 1024;
const BACKLOG_LOW = 128 * 1024;
/** How long clients may take to read the end. */
const FAREWELL_MS = 2000;
/** A program that ignores SIGHUP is killed after this time. */
const HANGUP_MS = 2000;

export interface TerminalParts {
  journal: Journal;
  resource: Resource;
  screen: Screen;
  command: PtyOptions;
}

/** One program on a PTY with everybody who watches it or takes part. */
export class Terminal implements ClientHost {
  readonly clients = new Clients(this);
  /** Resolves when the program has ended and every client was told. */
  readonly ended: Promise<PtyExit>;
  readonly #parts: TerminalParts;
  readonly #stream: Stream;
  readonly #coalescer: Coalescer;
  readonly #pty: PtyProcess;
  #exit: PtyExit | undefined;
  #paused = false;

  constructor(parts: TerminalParts) {
    const { cols, rows } = parts.command;
    this.#parts = parts;
    this.#stream = new Stream(parts.journal, parts.screen, { cols, rows });
    this.#coalescer = new Coalescer((piece) => this.#stream.output(piece));
    let exited: (how: PtyExit) => void = () => {};
    this.ended = new Promise<PtyExit>((resolve) => {
      exited = resolve;
    }).then((how) => this.#finish(how));
    this.#pty = new PtyProcess(parts.command, { data: (chunk) => this.#read(chunk), exit: exited });
    parts.resource.update({ state: 'running', size: { cols, rows } });
  }

  /** Hangs up, as closing a terminal window does, and after 2 s kills what is left. */
  hangUp(): void {
    this.#pty.signal('SIGHUP');
    setTimeout(() => this.#pty.signal('SIGKILL'), HANGUP_MS).unref();
  }

  opened(client: Client, opening: TerminalOpening): void {
    this.#coalescer.flush();
    if (client.mode === 'attach') this.#follow(client);
    client.send({
      type: 'hello',
      schema: TERMINAL_SCHEMA,
      terminal: this.#parts.resource.meta.id,
      mode: client.mode,
      seq: this.#parts.journal.seq,
      ...this.#stream.size,
    });
    this.#record('client.attach', client);
    this.#start(client, opening.replay ?? 'screen');
  }

  requested(client: Client, request: TerminalRequest): void {
    switch (request.op) {
      case 'input':
        this.#follow(client);
        if (!this.#pty.write(Buffer.from(request.data_b64, 'base64'))) throw inputRefused();
        return;
      case 'resize':
        client.size = { cols: request.cols, rows: request.rows };
        this.#follow(client);
        return;
      case 'signal':
        if (!this.#pty.signalForeground(`SIG${request.name}`)) throw signalRefused(request.name);
        return;
      case 'screen':
        this.wantsScreen(client);
        return;
      case 'ping':
        client.send({ type: 'pong' });
        return;
      case 'detach':
        client.end();
    }
  }

  wantsScreen(client: Client): void {
    this.#coalescer.flush();
    this.#stream.joinWithScreen(client);
  }

  closed(client: Client): void {
    this.clients.delete(client);
    this.#stream.leave(client);
    if (client.opened) this.#record('client.detach', client);
  }

  #start(client: Client, replay: NonNullable<TerminalOpening['replay']>): void {
    const missed = typeof replay === 'number' ? this.#stream.history.after(replay) : undefined;
    const { last } = this.#stream.history;
    if (missed) client.screen(replayed(missed, last));
    else if (replay === 'none' && last?.introducer) client.screen(introduction(last));
    if (missed || replay === 'none') this.#stream.join(client);
    else this.#stream.joinWithScreen(client);
  }

  #record(type: 'client.attach' | 'client.detach', { peer, mode }: Client): void {
    if (!this.#exit) this.#parts.journal.record({ type, uid: peer.uid, pid: peer.pid, mode });
  }

  /** The PTY has the size of the attached client that acted last. */
  #follow({ size }: Client): void {
    if (size === undefined || this.#exit || sameSize(size, this.#stream.size)) return;
    this.#coalescer.flush();
    this.#pty.resize(size.cols, size.rows);
    this.#stream.resize(size);
    this.#parts.resource.update({ size });
  }

  #read(chunk: Buffer): void {
    this.#coalescer.push(chunk);
    if (this.#paused || this.#backlog < BACKLOG_HIGH) return;
    this.#paused = true;
    this.#pty.pause();
    void this.#resumeWhenLow();
  }

  get #backlog(): number {
    // The disk may lag further behind than the screen before it matters.
    return Math.max(this.#stream.backlog, this.#parts.journal.backlog / 8);
  }

  async #resumeWhenLow(): Promise<void> {
    while (this.#backlog > BACKLOG_LOW) await delay(1);
    this.#paused = false;
    this.#pty.resume();
  }

  async #finish(how: PtyExit): Promise<PtyExit> {
    this.#coalescer.end();
    this.#exit = how;
    const seq = this.#parts.journal.record({ type: 'process.exit', ...exitFields(how) });
    this.#parts.resource.update({ state: 'exited' });
    this.#stream.finish(frame({ type: 'exit', seq, ...exitFields(how) }));
    await this.#everybodyHeard();
    for (const client of this.clients) client.end();
    await Promise.race([this.#everybodyLeft(), delay(500, undefined, { ref: false })]);
    for (const client of this.clients) client.destroy();
    return how;
  }

  async #everybodyHeard(): Promise<void> {
    const until = performance.now() + FAREWELL_MS;
    while (
      performance.now() < until &&
      !(this.#stream.settled && [...this.clients].every((client) => client.idle))
    )
      await delay(5);
  }

  async #everybodyLeft(): Promise<void> {
    while (this.clients.size > 0) await delay(5, undefined, { ref: false });
  }
}

/** Output again for a client that attaches: without what would make its terminal answer questions of the past. */
function replayed(missed: readonly Remembered[], last: Remembered | undefined): Buffer {
  const filter = new TerminalFilter('replay');
  const frames = missed.map(({ seq, bytes }) => outputFrame(seq, filter.push(bytes).toString('base64')));
  // The filter keeps an unfinished sequence to itself; the live stream goes on inside it.
  if (last?.introducer) frames.push(introduction(last));
  return Buffer.concat(frames);
}

/** For who comes in the middle of a very long sequence: see `Piece`. */
function introduction({ seq, introducer }: Remembered): Buffer {
  return outputFrame(seq, Buffer.from(introducer).toString('base64'));
}

function exitFields({ exitCode, signal }: PtyExit): { exit_code: number | null; signal: string | null } {
  return signal === 0
    ? { exit_code: exitCode, signal: null }
    : { exit_code: null, signal: signalName(signal) };
}

function signalName(signal: number): string {
  const known = Object.entries(constants.signals).find(([, number]) => number === signal);
  return known?.[0] ?? `SIG${signal}`;
}

function sameSize(a: TerminalSize, b: TerminalSize): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}
