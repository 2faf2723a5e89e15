import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';
import { oneLine } from '@cortexfs/abi/terminal-text';

type ApprovalRequest = Extract<AgentReply, { type: 'approval_request' }>;

/** Shows the call and asks; only a plain yes allows it. */
export async function askApproval(
  request: ApprovalRequest,
  ask: (question: string) => Promise<string>,
): Promise<'allow_once' | 'deny'> {
  const call = `${request.name} ${oneLine(JSON.stringify(request.arguments))}`;
  const where = request.cwd === undefined ? '' : `\n  in ${oneLine(request.cwd)}`;
  const answer = await ask(`allow this call?\n  ${call}${where}\n[y/N] `);
  return /^y(es)?$/i.test(answer.trim()) ? 'allow_once' : 'deny';
}
