import { type CortexError, describeError } from '@cortexfs/abi/errors';
import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';
import { oneLine, stripControls } from '@cortexfs/abi/terminal-text';
import { followRun, sendRequest } from '../session/follow-run.ts';
import { onInterrupt } from '../session/interrupts.ts';
import { CANCELLED } from '../session/run-outcome.ts';
import { connectAgent } from '../socket/connect.ts';
import { askApproval } from './approval.ts';
import type { ChatPlace } from './slash-command.ts';
import { Spinner } from './spinner.ts';

/**
 * One input and its answer. The answer is shown when it is whole, so that it cannot mix with what the person types; Ctrl-C
 * cancels the run and the prompt comes back, a second one leaves the chat.
 */
export async function takeTurn(
  { root, agent, session }: ChatPlace,
  input: string,
  ask: (question: string) => Promise<string>,
): Promise<void> {
  const connection = await connectAgent(root, agent);
  const spinner = new Spinner(process.stdout);
  let answer = '';
  let step = 0;
  const onReply = async (reply: AgentReply) => {
    if (reply.type === 'message' && reply.role === 'assistant')
      answer += reply.content.map((part) => part.text).join('');
    if (reply.type === 'tool_call') spinner.show(`step ${++step}: ${reply.name}`);
    if (reply.type === 'tool_result') spinner.show(`step ${step}: thinking`);
    if (reply.type !== 'approval_request') return;
    spinner.stop();
    const decision = await askApproval(reply, ask);
    await connection.request({ op: 'approve', run: reply.run, id: reply.tool_call_id, decision });
    spinner.start();
  };
  // Before the request: a run that began can always be cancelled.
  const release = onInterrupt(
    () => followed.cancel(),
    () => process.exit(CANCELLED),
  );
  const followed = followRun(connection, sendRequest(session, input), onReply);
  spinner.start();
  try {
    const outcome = await followed.finished;
    spinner.stop();
    if (answer !== '') process.stdout.write(withNewline(stripControls(answer)));
    if (outcome.exitCode === CANCELLED) process.stdout.write('cancelled\n');
    else if (outcome.error) process.stdout.write(errorText(outcome.error));
  } finally {
    spinner.stop();
    release();
    connection.close();
  }
}

function errorText(error: CortexError): string {
  return `${describeError(error)}\n${error.hint === undefined ? '' : `hint: ${oneLine(error.hint)}\n`}`;
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
