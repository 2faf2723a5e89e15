import { parseObjectName } from '@cortexfs/abi/names';
import type { Invocation } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { stateOf, terminalsOf } from '../../terminal/resource.ts';

/** `ctx terminal list [AGENT]`: one line a terminal, also those whose program has ended. */
export async function run({ operands, json, root: option }: Invocation): Promise<number> {
  const root = liveRoot(option);
  const [agent] = operands;
  const found = terminalsOf(root, agent === undefined ? undefined : parseObjectName(agent));
  const terminals = await Promise.all(
    found.map(async (terminal) => ({
      ...terminal.meta,
      state: await stateOf(root, terminal),
      path: terminal.path,
    })),
  );
  if (json) process.stdout.write(`${JSON.stringify(terminals)}\n`);
  for (const { id, state, size, created_at } of json ? [] : terminals)
    process.stdout.write(`${id.padEnd(32)} ${state.padEnd(8)} ${size.cols}x${size.rows}  ${created_at}\n`);
  return 0;
}
