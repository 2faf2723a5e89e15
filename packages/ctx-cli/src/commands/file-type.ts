import type { Invocation } from '../command/command.ts';
import { abiPath } from '../place/abi-path.ts';
import { liveRoot } from '../place/root.ts';
import { factsOf } from './file.ts';

/** `ctx file type PATH`: its kind alone, as `ctx.agent.control`. */
export async function run({ operands, root, json }: Invocation): Promise<number> {
  const place = liveRoot(root);
  const { kind } = factsOf(place, abiPath(place, operands[0] ?? ''));
  process.stdout.write(json ? `${JSON.stringify({ kind })}\n` : `${kind}\n`);
  return 0;
}
