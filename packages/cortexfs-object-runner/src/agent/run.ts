import { CortexError } from '@cortexfs/abi/errors';
import { isTerminal } from '../stdio/terminal.ts';

/**
 * The reference agent (docs/reference-agent.md): one step of a run when the host starts it, the chat when a person does.
 * Resolves to the exit code.
 */
export async function runAgent(name: string, args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    throw new CortexError('EINVAL', 'an agent takes no arguments: its host starts it', {
      path: `agent/${name}`,
      layer: 'agent',
      hint: `ctx agent send ${name} TEXT`,
    });
  }
  if (await isTerminal(0)) return await (await import('./chat.ts')).openChat(name);
  return await (await import('./step.ts')).runStep(name);
}
