import type { Invocation } from '../command/command.ts';
import { chosenRoot } from '../place/root.ts';

/** `ctx root`: the root that other commands would use. */
export async function run({ json, root }: Invocation): Promise<number> {
  const path = chosenRoot(root);
  process.stdout.write(json ? `${JSON.stringify({ root: path })}\n` : `${path}\n`);
  return 0;
}
