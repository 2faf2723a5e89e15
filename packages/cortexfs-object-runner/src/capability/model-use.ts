import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import {
  type CapabilityReply,
  type ModelUseRequest,
  parseCapabilityReply,
} from '@cortexfs/abi/frames/capability';
import { encodeFrame, FrameDecoder } from '@cortexfs/abi/jsonl';
import type { ModelInput } from '@cortexfs/abi/model-io';
import { type ModelId, type ObjectName, parseRequestId } from '@cortexfs/abi/names';
import type { ModelEvent } from '../model/model.ts';
import { freshId } from '../run-id.ts';

/**
 * One `model.use` over a run's capability socket (docs/sockets.md): the host runs the model outside the sandbox. Without
 * `model` it is the agent's own. Frames are given on as they come; an error frame, another end than `done ok`, or
 * the end of the connection is thrown.
 */
export async function* modelUse(
  path: string,
  input: ModelInput,
  model?: ModelId | ObjectName,
): AsyncGenerator<ModelEvent> {
  const request_id = parseRequestId(freshId());
  const request: ModelUseRequest = {
    op: 'model.use',
    request_id,
    ...(model === undefined ? {} : { model }),
    ...input,
  };
  const bytes = encodeFrame(request);
  const socket = await connect(path);
  try {
    socket.write(bytes);
    for await (const reply of replies(socket)) {
      if ('request_id' in reply && reply.request_id !== undefined && reply.request_id !== request_id)
        continue;
      switch (reply.type) {
        case 'done':
          if (reply.status === 'ok') return;
          throw endedBadly(reply.status);
        case 'error':
          throw new CortexError(reply.code, reply.message, {
            layer: 'model',
            path: reply.path,
            hint: reply.hint,
          });
        case 'start':
        case 'pong':
        case 'ok':
          break;
        default: {
          const { request_id: _, ...event } = reply;
          yield event;
        }
      }
    }
    throw new CortexError('EHOSTDOWN', 'the host closed the connection before the model was done', {
      layer: 'socket',
    });
  } finally {
    socket.destroy();
  }
}

async function connect(path: string): Promise<Socket> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (err) {
    socket.destroy();
    throw fromNodeError(err, { path, layer: 'socket' });
  }
}

async function* replies(socket: Socket): AsyncGenerator<CapabilityReply> {
  const decoder = new FrameDecoder();
  try {
    for await (const chunk of socket) {
      for (const frame of decoder.push(chunk as Buffer)) {
        if (!frame.ok) throw frame.error;
        yield parseCapabilityReply(frame.value);
      }
    }
  } catch (err) {
    throw fromNodeError(err, { layer: 'socket' });
  }
}

function endedBadly(status: 'error' | 'cancelled'): CortexError {
  return status === 'cancelled'
    ? new CortexError('ECANCELED', 'the model was cancelled', { layer: 'model' })
    : new CortexError('EPROTO', 'the model ended with an error but did not say which', { layer: 'model' });
}
