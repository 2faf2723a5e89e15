import { VERSION } from '@cortexfs/abi/version';
import type { Invocation } from '../command/command.ts';

/** `ctx version`. The plain form is answered before anything is loaded. */
export async function run({ json }: Invocation): Promise<number> {
  process.stdout.write(
    json ? `${JSON.stringify({ version: VERSION, node: process.version })}\n` : `ctx ${VERSION}\n`,
  );
  return 0;
}
