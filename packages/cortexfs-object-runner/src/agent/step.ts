import { checkLaunch, parseInvocation } from '@cortexfs/abi/invocation';
import { encodeFrame } from '@cortexfs/abi/jsonl';
import { modelUse } from '../capability/model-use.ts';
import { readInputBytes } from '../stdio/input.ts';
import { writeAll } from '../stdio/output.ts';
import { requireHost } from './host.ts';
import { messagesOf } from './messages.ts';

/**
 * One step: an envelope in, the model's frames out, ended by a tool call or the final message. The host alone writes
 * start, results and done; a failure is a line on standard error and an exit code.
 */
export async function runStep(name: string): Promise<number> {
  const socket = requireHost(name);
  const invocation = parseInvocation(readInputBytes());
  checkLaunch(invocation, process.env);
  const { run } = invocation;
  for await (const event of modelUse(socket, { messages: messagesOf(invocation) })) {
    writeAll(1, encodeFrame({ ...event, run }));
    // A call ends the step: whatever a model says after it would be invalid output.
    if (event.type === 'tool_call') break;
  }
  return 0;
}
