import { CortexError } from '@cortexfs/abi/errors';
import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';
import type { SendRequest } from '@cortexfs/abi/frames/agent-request';
import type { RunId } from '@cortexfs/abi/names';
import type { AgentConnection } from '../socket/connection.ts';
import { newRequestId } from './request-id.ts';
import { RunOutcome } from './run-outcome.ts';

/** A run as its client follows it. */
export interface FollowedRun {
  /** Every reply of the run, then the outcome's exit code. */
  readonly finished: Promise<RunOutcome>;
  /** Asks the host to cancel it; the run then ends with `done cancelled`. */
  cancel(): Promise<void>;
}

/**
 * Sends one input and follows its run to `done`.
 * `finished` rejects with CortexError when the request was refused, or EHOSTDOWN when the connection broke first.
 */
export function followRun(
  connection: AgentConnection,
  request: SendRequest,
  onReply: (reply: AgentReply) => void | Promise<void>,
): FollowedRun {
  let run: RunId | undefined;
  const follow = async () => {
    const outcome = new RunOutcome();
    await connection.request(request);
    for await (const reply of connection.replies()) {
      if (reply.type === 'start') run = reply.run;
      outcome.take(reply);
      await onReply(reply);
      if (outcome.exitCode !== undefined) return outcome;
    }
    throw brokenOff(request);
  };
  const cancel = () => connection.request({ op: 'cancel', id: run ?? request.id, session: request.session });
  return { finished: follow(), cancel };
}

export function sendRequest(session: SendRequest['session'], input: string, cwd?: string): SendRequest {
  return { op: 'send', id: newRequestId('msg'), session, input, ...(cwd === undefined ? {} : { cwd }) };
}

function brokenOff({ session }: SendRequest): CortexError {
  return new CortexError('EHOSTDOWN', 'the agent closed the connection before the run ended', {
    layer: 'socket',
    hint: `the session keeps what happened: ctx agent resume NAME --session ${session}`,
  });
}
