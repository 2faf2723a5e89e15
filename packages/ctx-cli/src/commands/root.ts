import { findPlace } from '@cortexfs/linux/place';
import type { Invocation } from '../command/command.ts';

/** `ctx root`: the root that other commands would use. */
export async function run({ json, root }: Invocation): Promise<number> {
  const path = findPlace(root).root;
  process.stdout.write(json ? `${JSON.stringify({ root: path })}\n` : `${path}\n`);
  return 0;
}
