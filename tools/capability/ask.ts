import { CortexError } from '@cortexfs/abi/errors';
import type { CapabilityReply } from '@cortexfs/abi/frames/capability';
import { encodeFrame } from '@cortexfs/abi/jsonl';
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
import { capabilityReplies, connectCapability } from './connection.ts';

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
  const socket = await connectCapability(path);
  try {
    socket.write(bytes);
    for await (const reply of capabilityReplies(socket)) return accepted(reply);
    throw new CortexError('EHOSTDOWN', 'the host closed the connection without an answer', {
      layer: 'socket',
    });
  } finally {
    socket.destroy();
  }
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
