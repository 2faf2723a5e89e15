import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { type CapabilityReply, parseCapabilityReply } from '@cortexfs/abi/frames/capability';
import { encodeFrame, FrameDecoder } from '@cortexfs/abi/jsonl';
import {
  type ObjectName,
  parseObjectName,
  parseRequestId,
  parseRunId,
  parseSessionName,
  type RunId,
  type SessionName,
} from '@cortexfs/abi/names';
import { newRunId } from '@cortexfs/abi/run-id';

export interface CurrentRun {
  readonly agent: ObjectName;
  readonly session: SessionName;
  readonly run: RunId;
}

/** The run that this tool was started for. ENOTCONN outside of one: there is no host to ask. */
export function currentRun(env: NodeJS.ProcessEnv = process.env): CurrentRun {
  const { CTX_AGENT: agent, CTX_SESSION: session, CTX_RUN_ID: run } = env;
  if (agent === undefined || session === undefined || run === undefined) throw outsideOfRun();
  return { agent: parseObjectName(agent), session: parseSessionName(session), run: parseRunId(run) };
}

/**
 * Sends one request to the run's capability socket, with a fresh request id, and resolves with the reply. An error
 * reply is thrown as it is; EHOSTDOWN when the host hangs up without one.
 */
export async function ask(
  request: { readonly op: string; readonly [field: string]: unknown },
  env: NodeJS.ProcessEnv = process.env,
): Promise<CapabilityReply> {
  const path = env['CTX_CONTROL_SOCKET'];
  if (path === undefined) throw outsideOfRun();
  const bytes = encodeFrame({ ...request, request_id: parseRequestId(newRunId()) });
  const socket = await connect(path);
  try {
    socket.write(bytes);
    return await firstReply(socket);
  } finally {
    socket.destroy();
  }
}

async function connect(path: string): Promise<Socket> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    socket.destroy();
    throw fromNodeError(error, { path, layer: 'socket' });
  }
}

async function firstReply(socket: Socket): Promise<CapabilityReply> {
  const decoder = new FrameDecoder();
  try {
    for await (const chunk of socket) {
      for (const frame of decoder.push(chunk as Buffer)) {
        if (!frame.ok) throw frame.error;
        return accepted(parseCapabilityReply(frame.value));
      }
    }
  } catch (error) {
    throw fromNodeError(error, { layer: 'socket' });
  }
  throw new CortexError('EHOSTDOWN', 'the host closed the connection without an answer', { layer: 'socket' });
}

function accepted(reply: CapabilityReply): CapabilityReply {
  if (reply.type !== 'error') return reply;
  const { code, message, path, layer: _, hint } = reply;
  throw new CortexError(code, message, { layer: 'socket', path, hint });
}

function outsideOfRun(): CortexError {
  return new CortexError('ENOTCONN', 'this works only in a run of an agent', {
    layer: 'socket',
    hint: 'ctx agent send NAME TEXT begins one',
  });
}
