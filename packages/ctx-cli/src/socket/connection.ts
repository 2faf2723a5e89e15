import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type AgentReply, parseAgentReply } from '@cortexfs/abi/frames/agent-reply';
import type { AgentRequest } from '@cortexfs/abi/frames/agent-request';
import { encodeFrame, FrameDecoder } from '@cortexfs/abi/jsonl';

/** One connection to an agent's socket: requests out, replies in as an async sequence with back-pressure. */
export class AgentConnection {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  async request(request: AgentRequest): Promise<void> {
    if (!this.#socket.write(encodeFrame(request))) await once(this.#socket, 'drain');
  }

  /** Every reply until the other side closes. Frames of unknown types are skipped; a broken frame is thrown. */
  async *replies(): AsyncGenerator<AgentReply> {
    const decoder = new FrameDecoder();
    for await (const chunk of this.#socket) {
      for (const frame of decoder.push(chunk as Buffer)) {
        if (!frame.ok) throw frame.error;
        const reply = parseAgentReply(frame.value);
        if (reply) yield reply;
      }
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}
