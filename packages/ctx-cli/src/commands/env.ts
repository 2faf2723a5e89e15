import { findPlace } from '@cortexfs/linux/place';
import type { Invocation } from '../command/command.ts';

/** `ctx env`: `KEY=VALUE` lines, or one JSON document. */
export async function run({ json, root: option }: Invocation): Promise<number> {
  const { kind, root, store, runtime, config, secrets } = findPlace(option);
  const facts = { kind, root, store, runtime, config, secrets };
  if (json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else for (const [key, value] of Object.entries(facts)) process.stdout.write(`${key}=${value}\n`);
  return 0;
}
