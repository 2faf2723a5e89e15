import { text as streamText } from 'node:stream/consumers';
import { CortexError, errorLines } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
import { flag, type Invocation, text } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { AnswerStream } from '../../session/answer-stream.ts';
import { followRun, sendRequest } from '../../session/follow-run.ts';
import { onInterrupt } from '../../session/interrupts.ts';
import { sessionOf } from '../../session/name.ts';
import { CANCELLED } from '../../session/run-outcome.ts';
import { connectAgent } from '../../socket/connect.ts';

/** `ctx agent send NAME TEXT…`: one message; the answer streams to standard output, the exit code follows the run. */
export async function run(invocation: Invocation): Promise<number> {
  const [name = '', ...words] = invocation.operands;
  const agent = parseObjectName(name);
  const input = await inputOf(words);
  const root = liveRoot(invocation.root);
  const request = sendRequest(
    sessionOf(root, agent, text(invocation, 'session')),
    input,
    text(invocation, 'cwd'),
  );
  // Last: an open connection keeps the process alive, whatever is refused after it.
  const connection = await connectAgent(root, agent);
  const raw = flag(invocation, 'raw') || invocation.json;
  const answer = new AnswerStream(
    (chunk) => process.stdout.write(chunk),
    (line) => process.stderr.isTTY && process.stderr.write(line),
  );
  // Before the request: a run that began can always be cancelled.
  const release = onInterrupt(
    () => followed.cancel(),
    () => process.exit(CANCELLED),
  );
  const followed = followRun(connection, request, async (reply) => {
    if (raw) process.stdout.write(`${JSON.stringify(reply)}\n`);
    else answer.take(reply);
    // Nobody is asked here, so that a script cannot hang: what needs an approval is refused.
    if (reply.type === 'approval_request') {
      await connection.request({ op: 'approve', run: reply.run, id: reply.tool_call_id, decision: 'deny' });
    }
  });
  try {
    const outcome = await followed.finished;
    if (!raw) answer.end();
    if (!raw && outcome.error) process.stderr.write(errorLines('ctx', outcome.error));
    return outcome.exitCode ?? 70;
  } finally {
    release();
    connection.close();
  }
}

async function inputOf(words: readonly string[]): Promise<string> {
  const typed = words.join(' ');
  const input =
    typed === '-' || (typed === '' && !process.stdin.isTTY) ? await streamText(process.stdin) : typed;
  if (input.trim() !== '') return input;
  throw new CortexError('EINVAL', 'agent send: no text to send', {
    hint: 'usage: ctx agent send NAME TEXT…, or NAME - with the text on standard input',
  });
}
