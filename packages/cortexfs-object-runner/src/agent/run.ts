import { CortexError } from '@cortexfs/abi/errors';
import type { OpenedObject } from '../object.ts';
import { isTerminal } from '../stdio/terminal.ts';

/**
 * An agent: one step of a run when the host starts it, the chat when a person does. An installed one runs its artifact, any other
 * is the reference agent (docs/reference-agent.md). Resolves to the exit code.
 */
export async function runAgent({ name, file }: OpenedObject, args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    throw new CortexError('EINVAL', 'an agent takes no arguments: its host starts it', {
      path: `agent/${name}`,
      layer: 'agent',
      hint: `ctx agent send ${name} TEXT`,
    });
  }
  if (await isTerminal(0)) return await (await import('./chat.ts')).openChat(name);
  const { requireHost } = await import('./host.ts');
  requireHost(name);
  const path = `agent/${name}`;
  const { openArtifact } = await import('../plugin/artifact.ts');
  const artifact = openArtifact(file, path);
  if (artifact !== undefined)
    return (await import('../plugin/run.ts')).becomePlugin({ artifact, file, path, args });
  return await (await import('./step.ts')).runStep(name);
}
