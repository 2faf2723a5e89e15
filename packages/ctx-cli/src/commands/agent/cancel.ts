import { CortexError } from '@cortexfs/abi/errors';
import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';
import { parseObjectName, parseRunId, type RunId, type SessionName } from '@cortexfs/abi/names';
import { type Invocation, text } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { sessionOf } from '../../session/name.ts';
import { connectAgent } from '../../socket/connect.ts';
import type { AgentConnection } from '../../socket/connection.ts';

/** `ctx agent cancel NAME [RUN]`: cancels that run, else the one that is active in the session. */
export async function run(invocation: Invocation): Promise<number> {
  const [name = '', typed] = invocation.operands;
  const agent = parseObjectName(name);
  const root = liveRoot(invocation.root);
  const session = sessionOf(root, agent, text(invocation, 'session'));
  const connection = await connectAgent(root, agent);
  try {
    const replies = connection.replies();
    const run = typed === undefined ? await activeRun(connection, replies, session) : parseRunId(typed);
    await connection.request({ op: 'cancel', id: run, session });
    await answerOf(replies, 'ok');
    process.stdout.write(invocation.json ? `${JSON.stringify({ cancelled: run })}\n` : `cancelled ${run}\n`);
    return 0;
  } finally {
    connection.close();
  }
}

async function activeRun(
  connection: AgentConnection,
  replies: Replies,
  session: SessionName,
): Promise<RunId> {
  await connection.request({ op: 'status', session });
  const { run } = await answerOf(replies, 'status');
  if (run !== null) return run;
  throw new CortexError('ENOENT', 'no run is active', { path: `session/${session}`, layer: 'session' });
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
