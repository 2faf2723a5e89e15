import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { fromNodeError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { agentControl, agentControls } from '@cortexfs/abi/paths';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { openBeneath } from '@cortexfs/linux/open-beneath';

const { O_DIRECTORY, O_RDONLY } = constants;

/**
 * Replaces an agent's control in the store by exactly this text, or makes it. Through a held directory: the text lands in
 * the controls that were meant; a link in the control's place is replaced, one on the way to it is ELOOP.
 */
export async function writeControl(
  store: string,
  agent: ObjectName,
  control: string,
  text: string,
): Promise<void> {
  let base: number | undefined;
  let directory: number | undefined;
  try {
    base = openSync(store, O_RDONLY | O_DIRECTORY);
    directory = openBeneath(base, agentControls(agent), O_RDONLY | O_DIRECTORY);
    const { uid, gid } = fstatSync(directory);
    // Root's hosts serve the agents of others: a control belongs to whom its directory does.
    const owner = process.geteuid!() === 0 ? { owner: { uid, gid } } : {};
    await writeDurable(`/proc/self/fd/${directory}/${control}`, text, { mode: 0o644, ...owner });
  } catch (error) {
    throw fromNodeError(error, { path: agentControl(agent, control), layer: 'store' });
  } finally {
    if (directory !== undefined) closeSync(directory);
    if (base !== undefined) closeSync(base);
  }
}
