import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { fromNodeError } from '@cortexfs/abi/errors';
import { type CapabilityReply, parseCapabilityReply } from '@cortexfs/abi/frames/capability';
import { FrameDecoder } from '@cortexfs/abi/jsonl';

/** Connects to a run's capability socket (docs/sockets.md). */
export async function connectCapability(path: string): Promise<Socket> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    socket.destroy();
    throw fromNodeError(error, { path, layer: 'socket' });
  }
}

/** The host's replies as they come, to the end of the connection. */
export async function* capabilityReplies(socket: Socket): AsyncGenerator<CapabilityReply> {
  const decoder = new FrameDecoder();
  try {
    for await (const chunk of socket) {
      for (const frame of decoder.push(chunk as Buffer)) {
        if (!frame.ok) throw frame.error;
        yield parseCapabilityReply(frame.value);
      }
    }
  } catch (error) {
    throw fromNodeError(error, { layer: 'socket' });
  }
}
