import { CortexError } from '@cortexfs/abi/errors';
import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';
import type { ObjectName, RunId, SessionName } from '@cortexfs/abi/names';
import { connectAgent } from '../socket/connect.ts';
import type { AgentConnection } from '../socket/connection.ts';

/** Cancels a run of a session, by default the one that is active, whoever started it. Undefined when none is active. */
export async function cancelRun(
  root: string,
  agent: ObjectName,
  session: SessionName,
  chosen?: RunId,
): Promise<RunId | undefined> {
  const connection = await connectAgent(root, agent);
  try {
    const replies = connection.replies();
    const run = chosen ?? (await activeRun(connection, replies, session));
    if (run === undefined) return undefined;
    await connection.request({ op: 'cancel', id: run, session });
    await answerOf(replies, 'ok');
    return run;
  } finally {
    connection.close();
  }
}

async function activeRun(
  connection: AgentConnection,
  replies: Replies,
  session: SessionName,
): Promise<RunId | undefined> {
  await connection.request({ op: 'status', session });
  return (await answerOf(replies, 'status')).run ?? undefined;
}

type Replies = AsyncGenerator<AgentReply>;

/** The reply of that type; an error in its place is thrown. */
async function answerOf<T extends AgentReply['type']>(
  replies: Replies,
  type: T,
): Promise<Extract<AgentReply, { type: T }>> {
  for (let next = await replies.next(); !next.done; next = await replies.next()) {
    const reply = next.value;
    if (reply.type === 'error') throw new CortexError(reply.code, reply.message, { hint: reply.hint });
    if (reply.type === type) return reply as Extract<AgentReply, { type: T }>;
  }
  throw new CortexError('EHOSTDOWN', 'the agent closed the connection', { layer: 'socket' });
}
