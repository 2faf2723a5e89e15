import { CortexError } from '@cortexfs/abi/errors';
import type { ModelUseRequest } from '@cortexfs/abi/frames/capability';
import { encodeFrame } from '@cortexfs/abi/jsonl';
import type { ModelInput } from '@cortexfs/abi/model-io';
import { type ModelId, type ObjectName, parseRequestId } from '@cortexfs/abi/names';
import { capabilityReplies, connectCapability } from '@cortexfs/tools/capability/connection.ts';
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
  const socket = await connectCapability(path);
  try {
    socket.write(bytes);
    for await (const reply of capabilityReplies(socket)) {
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

function endedBadly(status: 'error' | 'cancelled'): CortexError {
  return status === 'cancelled'
    ? new CortexError('ECANCELED', 'the model was cancelled', { layer: 'model' })
    : new CortexError('EPROTO', 'the model ended with an error but did not say which', { layer: 'model' });
}
