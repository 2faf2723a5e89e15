import { parseEventId } from '@cortexfs/abi/frames/event-id';
import { parseObjectName, type RunId } from '@cortexfs/abi/names';
import { type Invocation, text } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { AnswerStream } from '../../session/answer-stream.ts';
import { sessionOf } from '../../session/name.ts';
import { RunOutcome } from '../../session/run-outcome.ts';
import { connectAgent } from '../../socket/connect.ts';

/** `ctx agent resume NAME`: the stored events of a session, then those of the run that is active, until it is done; the exit code is that run's. `--json` gives the frames. */
export async function run(invocation: Invocation): Promise<number> {
  const agent = parseObjectName(invocation.operands[0] ?? '');
  const root = liveRoot(invocation.root);
  const session = sessionOf(root, agent, text(invocation, 'session'));
  const after = text(invocation, 'after');
  const connection = await connectAgent(root, agent);
  const answer = new AnswerStream(
    (chunk) => process.stdout.write(chunk),
    (line) => process.stderr.write(line),
  );
  const outcome = new RunOutcome();
  let active: RunId | null = null;
  let followed: RunId | null = null;
  let caughtUp = false;
  try {
    await connection.request({ op: 'status', session });
    await connection.request({
      op: 'resume',
      session,
      ...(after === undefined ? {} : { after: parseEventId(after) }),
    });
    for await (const reply of connection.replies()) {
      if (reply.type === 'status') {
        followed = active = reply.run;
        continue;
      }
      if (invocation.json) process.stdout.write(`${JSON.stringify(reply)}\n`);
      else answer.take(reply);
      // How earlier runs ended is history, no result of ours.
      if (!('run' in reply) || reply.run === followed) outcome.take(reply);
      if (reply.type === 'done' && reply.run === active) active = null;
      if (reply.type === 'resumed') caughtUp = true;
      if (caughtUp && active === null) break;
    }
  } finally {
    connection.close();
  }
  answer.end();
  return outcome.exitCode ?? 0;
}
