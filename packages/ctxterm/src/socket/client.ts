import type { Socket } from 'node:net';
import { type CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { errorFields } from '@cortexfs/abi/frames/error-fields';
import {
  needsAttach,
  parseTerminalOpening,
  parseTerminalRequest,
  type TerminalFrame,
  type TerminalMode,
  type TerminalOpening,
  type TerminalRequest,
  type TerminalSize,
} from '@cortexfs/abi/frames/terminal';
import { type DecodedFrame, FrameDecoder } from '@cortexfs/abi/jsonl';
import type { PeerCredentials } from '@cortexfs/linux/peer-credentials';
import { frame } from '../output/frames.ts';
import type { Viewer } from '../output/stream.ts';
import { watcherRefused } from './refusal.ts';

/** What a client has not read yet; beyond this it is skipped forward. */
export const UNSENT_LIMIT = 1024 * 1024;
/** A client must say what it wants within this time. */
const OPENING_MS = 10_000;

/** What a client may ask of the terminal behind it. */
export interface ClientHost {
  /** Answers the opening with `hello` and starts the stream. */
  opened(client: Client, opening: TerminalOpening): void;
  requested(client: Client, request: TerminalRequest): void;
  /** Asks for the screen, then the live stream. */
  wantsScreen(client: Client): void;
  closed(client: Client): void;
}

/**
 * One connection. A client that reads too slowly is left alone until it has read everything it was sent, and then
 * gets a fresh screen; nothing is ever buffered for it beyond 1 MiB and one screen.
 */
export class Client implements Viewer {
  readonly peer: PeerCredentials;
  mode: TerminalMode = 'watch';
  /** The size of the client's own window, as far as it told. */
  size: TerminalSize | undefined;
  scrollback = 0;
  readonly #socket: Socket;
  readonly #host: ClientHost;
  readonly #decoder = new FrameDecoder();
  readonly #openingTimer: NodeJS.Timeout;
  #opened = false;
  #behind = false;

  constructor(socket: Socket, peer: PeerCredentials, host: ClientHost) {
    this.#socket = socket;
    this.peer = peer;
    this.#host = host;
    this.#openingTimer = setTimeout(() => socket.destroy(), OPENING_MS);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('drain', () => this.#caughtUp());
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(this.#openingTimer);
      host.closed(this);
    });
  }

  get opened(): boolean {
    return this.#opened;
  }

  live(bytes: Buffer): void {
    if (this.#behind) return;
    if (this.#socket.writableLength > UNSENT_LIMIT) this.#behind = true;
    else this.#socket.write(bytes);
  }

  screen(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** A frame outside the stream. */
  send(value: TerminalFrame): void {
    this.#socket.write(frame(value));
  }

  refuse(error: CortexError): void {
    this.send({ type: 'error', ...errorFields(error) });
  }

  /** Lets the client read what it was sent, then closes. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Nothing more is on its way to the client. */
  get idle(): boolean {
    return !this.#behind && this.#socket.writableLength === 0;
  }

  #take(chunk: Buffer): void {
    for (const decoded of this.#decoder.push(chunk)) {
      if (this.#socket.destroyed || this.#socket.writableEnded) return;
      this.#handle(decoded);
    }
    // Answers that nobody reads must not pile up either.
    if (this.#socket.writableLength > UNSENT_LIMIT) this.#socket.pause();
  }

  #handle(decoded: DecodedFrame): void {
    try {
      if (!decoded.ok) throw decoded.error;
      if (!this.#opened) {
        this.#open(parseTerminalOpening(decoded.value));
        return;
      }
      const request = parseTerminalRequest(decoded.value);
      if (needsAttach(request) && this.mode === 'watch') throw watcherRefused(request.op);
      this.#host.requested(this, request);
    } catch (error) {
      this.refuse(fromNodeError(error, { layer: 'terminal' }));
      if (!this.#opened) this.end();
    }
  }

  #open(opening: TerminalOpening): void {
    clearTimeout(this.#openingTimer);
    this.#opened = true;
    this.mode = opening.op;
    this.scrollback = opening.scrollback ?? 0;
    if (opening.cols !== undefined && opening.rows !== undefined)
      this.size = { cols: opening.cols, rows: opening.rows };
    this.#host.opened(this, opening);
  }

  #caughtUp(): void {
    this.#socket.resume();
    if (!this.#behind) return;
    this.#behind = false;
    this.#host.wantsScreen(this);
  }
}
