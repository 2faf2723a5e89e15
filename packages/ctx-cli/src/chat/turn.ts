import { type CortexError, describeError } from '@cortexfs/abi/errors';
import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';
import { oneLine, stripControls } from '@cortexfs/abi/terminal-text';
import { followRun, sendRequest } from '../session/follow-run.ts';
import { onInterrupt } from '../session/interrupts.ts';
import { CANCELLED } from '../session/run-outcome.ts';
import { connectAgent } from '../socket/connect.ts';
import { askApproval } from './approval.ts';
import { type ChatPlace, slashCommand } from './slash-command.ts';
import { Spinner } from './spinner.ts';

/** Who types. */
export interface Person {
  ask(question: string): Promise<string>;
  /** Offers every line that is typed while nothing is asked; the answer ends that. */
  meanwhile(take: (line: string) => boolean): () => void;
}

/**
 * One input and its answer. The answer is shown when it is whole, so that it cannot mix with what the person types; Ctrl-C
 * cancels the run and the prompt comes back, a second one leaves the chat. Commands work meanwhile; the answer is whether
 * the person left by one, and the run goes on.
 */
export async function takeTurn(place: ChatPlace, input: string, person: Person): Promise<'left' | undefined> {
  const { root, agent, session } = place;
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
    const decision = await askApproval(reply, (question) => person.ask(question));
    await connection.request({ op: 'approve', run: reply.run, id: reply.tool_call_id, decision });
    spinner.start();
  };
  // Before the request: a run that began can always be cancelled.
  const release = onInterrupt(
    () => cancel(),
    () => process.exit(CANCELLED),
  );
  const followed = followRun(connection, sendRequest(session, input), onReply);
  let cancelled: Promise<void> | undefined;
  const cancel = () => {
    cancelled ??= followed.cancel();
    return cancelled;
  };
  let leave = () => {};
  const left = new Promise<'left'>((resolve) => {
    leave = () => resolve('left');
  });
  const typed = person.meanwhile((line) => {
    const command = slashCommand(line, place);
    if (command === undefined) return false;
    if (command === 'exit') leave();
    // A connection that broke ends the turn anyway.
    else if (command === 'cancel') cancel().catch(() => {});
    else spinner.aside(command.print);
    return true;
  });
  spinner.start();
  try {
    const outcome = await Promise.race([followed.finished, left]);
    spinner.stop();
    if (outcome === 'left') return outcome;
    if (answer !== '') process.stdout.write(withNewline(stripControls(answer)));
    if (outcome.exitCode === CANCELLED) process.stdout.write('cancelled\n');
    else if (outcome.error) process.stdout.write(errorText(outcome.error));
    return undefined;
  } finally {
    followed.finished.catch(() => {});
    spinner.stop();
    typed();
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
