import type { Socket } from 'node:net';
import { CortexError } from '@cortexfs/abi/errors';
import {
  parseTerminalFrame,
  type TerminalFrame,
  type TerminalOpening,
  type TerminalRequest,
} from '@cortexfs/abi/frames/terminal';
import { encodeFrame, FrameDecoder } from '@cortexfs/abi/jsonl';

/** A client of one terminal's socket. */
export class TerminalClient {
  readonly #socket: Socket;

  constructor(socket: Socket, opening: TerminalOpening) {
    this.#socket = socket;
    socket.write(encodeFrame(opening));
  }

  send(request: TerminalRequest): void {
    if (!this.#socket.destroyed) this.#socket.write(encodeFrame(request));
  }

  /** Frames until the terminal or we hang up. An error frame is thrown. */
  async *frames(): AsyncGenerator<TerminalFrame> {
    const decoder = new FrameDecoder();
    for await (const chunk of this.#socket) {
      for (const decoded of decoder.push(chunk as Buffer)) {
        if (!decoded.ok) throw decoded.error;
        const frame = parseTerminalFrame(decoded.value);
        if (frame.type === 'error')
          throw new CortexError(frame.code, frame.message, { layer: 'terminal', hint: frame.hint });
        yield frame;
      }
    }
  }

  /** Leaves cleanly; the terminal goes on. */
  detach(): void {
    this.send({ op: 'detach' });
    this.#socket.end();
  }
}
