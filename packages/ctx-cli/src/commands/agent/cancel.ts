import { CortexError } from '@cortexfs/abi/errors';
import { parseObjectName, parseRunId } from '@cortexfs/abi/names';
import { type Invocation, text } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { cancelRun } from '../../session/cancel-run.ts';
import { sessionOf } from '../../session/name.ts';

/** `ctx agent cancel NAME [RUN]`: cancels that run, else the one that is active in the session. */
export async function run(invocation: Invocation): Promise<number> {
  const [name = '', typed] = invocation.operands;
  const agent = parseObjectName(name);
  const root = liveRoot(invocation.root);
  const session = sessionOf(root, agent, text(invocation, 'session'));
  const chosen = typed === undefined ? undefined : parseRunId(typed);
  const run = await cancelRun(root, agent, session, chosen);
  if (run === undefined)
    throw new CortexError('ENOENT', 'no run is active', { path: `session/${session}`, layer: 'session' });
  process.stdout.write(invocation.json ? `${JSON.stringify({ cancelled: run })}\n` : `cancelled ${run}\n`);
  return 0;
}
