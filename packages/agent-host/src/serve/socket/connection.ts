import type { Socket } from 'node:net';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { type AgentRequest, parseAgentRequest, requestIdOf } from '@cortexfs/abi/frames/agent-request';
import { errorFields } from '@cortexfs/abi/frames/error-fields';
import type { JsonObject } from '@cortexfs/abi/json';
import { type DecodedFrame, encodeFrame, FrameDecoder } from '@cortexfs/abi/jsonl';
import { hasHungUp } from '@cortexfs/linux/poll';
import { descriptorOf } from '@cortexfs/linux/socket-descriptor';
import { Outbox } from './outbox.ts';

/** What a request handler may do with the connection that asked. */
export interface Connection {
  /** Aborted when the client is gone. */
  readonly closed: AbortSignal;
  reply(frame: object): Promise<boolean>;
  /** Whole lines as they are. */
  send(lines: Uint8Array): Promise<boolean>;
  /** Work that goes on beside later requests, such as the events of a run; its errors are replied. */
  background(work: () => Promise<void>, requestId?: string): void;
  /** Called when the client sends something unreadable or leaves; returns how to stop listening. */
  onDistrust(listener: () => void): () => void;
}

/** `frame` is the request as it was sent. Errors that it throws are replied. */
export type RequestHandler = (
  request: AgentRequest,
  frame: JsonObject,
  connection: Connection,
) => Promise<void>;

/** Most streams that one connection may have open. */
const MAX_STREAMS = 64;

/**
 * Serves one client: its requests in order, the next one read only after the one before was answered or moved to the
 * background. A client that closes its sending side still gets the rest of its streams.
 */
export function serveConnection(socket: Socket, handle: RequestHandler): void {
  const outbox = new Outbox(socket);
  const connection = new ClientConnection(outbox);
  const decoder = new FrameDecoder();
  let turn = Promise.resolve();
  socket.on('data', (chunk) => {
    socket.pause();
    turn = turn.then(async () => {
      for (const frame of decoder.push(chunk)) await answer(frame, connection, handle);
      socket.resume();
    });
  });
  socket.on('end', () => {
    decoder.end();
    connection.distrust();
    noticeLeaving(socket);
    turn = turn.then(async () => {
      await connection.idle();
      socket.end();
    });
  });
  socket.on('close', () => connection.distrust());
  // The close that follows says all there is to do.
  socket.on('error', () => {});
}

/** How often a client that sends no more is looked at. */
const LOOK_MS = 250;

/** The end of what a client sends looks the same whether it left or still reads; only the kernel knows. */
function noticeLeaving(socket: Socket): void {
  const timer = setInterval(() => {
    if (!socket.destroyed && !hasHungUp(descriptorOf(socket))) return;
    clearInterval(timer);
    socket.destroy();
  }, LOOK_MS);
  socket.on('close', () => clearInterval(timer));
}

async function answer(
  frame: DecodedFrame,
  connection: ClientConnection,
  handle: RequestHandler,
): Promise<void> {
  if (!frame.ok) {
    connection.distrust();
    await connection.refuse(frame.error);
    return;
  }
  try {
    await handle(parseAgentRequest(frame.value), frame.value, connection);
  } catch (error) {
    if (frame.value['op'] === 'approve') connection.distrust();
    await connection.refuse(error, requestIdOf(frame.value));
  }
}

class ClientConnection implements Connection {
  readonly #outbox: Outbox;
  readonly #streams = new Set<Promise<void>>();
  readonly #distrust = new Set<() => void>();

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  get closed(): AbortSignal {
    return this.#outbox.closed;
  }

  reply(frame: object): Promise<boolean> {
    return this.#outbox.send(encodeFrame(frame));
  }

  send(lines: Uint8Array): Promise<boolean> {
    return this.#outbox.send(lines);
  }

  background(work: () => Promise<void>, requestId?: string): void {
    if (this.#streams.size >= MAX_STREAMS) {
      throw new CortexError('EAGAIN', `more than ${MAX_STREAMS} streams on one connection`, {
        layer: 'socket',
      });
    }
    const stream = work()
      .catch((error) => this.refuse(error, requestId))
      .finally(() => this.#streams.delete(stream));
    this.#streams.add(stream);
  }

  async refuse(error: unknown, requestId?: string): Promise<void> {
    const fields = errorFields(fromNodeError(error, { layer: 'socket' }));
    await this.reply({
      type: 'error',
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...fields,
    });
  }

  onDistrust(listener: () => void): () => void {
    this.#distrust.add(listener);
    return () => this.#distrust.delete(listener);
  }

  distrust(): void {
    for (const listener of [...this.#distrust]) listener();
  }

  async idle(): Promise<void> {
    while (this.#streams.size > 0) await Promise.all(this.#streams);
  }
}
