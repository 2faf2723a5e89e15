import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { agentExec } from '@cortexfs/abi/paths';
import { lockFile } from '@cortexfs/linux/flock';
import { agentLock } from './files.ts';

/** Long enough for somebody else's whole start or stop. */
const PATIENCE_MS = 30_000;

/** One start or stop of an agent at a time; the second one waits and then sees what the first has done. */
export async function underAgentLock<T>(
  runtime: string,
  name: ObjectName,
  act: () => Promise<T>,
): Promise<T> {
  const lock = await lockFile(agentLock(runtime, name), { timeoutMs: PATIENCE_MS }).catch(
    (error: unknown) => {
      if (!(error instanceof CortexError) || error.code !== 'EBUSY') throw error;
      throw new CortexError('EBUSY', 'another start or stop of this agent has not come to an end', {
        path: agentExec(name),
        layer: 'runtime',
        hint: `agent-host status ${name}`,
        cause: error,
      });
    },
  );
  try {
    return await act();
  } finally {
    lock.release();
  }
}
