import type { Invocation } from '../command/command.ts';
import { deployment } from '../place/deployment.ts';
import { chosenRoot } from '../place/root.ts';

/** `ctx env`: `KEY=VALUE` lines, or one JSON document. */
export async function run({ json, root }: Invocation): Promise<number> {
  const { kind, store, runtime, config, secrets } = deployment();
  const facts = { kind, root: chosenRoot(root), store, runtime, config, secrets };
  if (json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else for (const [key, value] of Object.entries(facts)) process.stdout.write(`${key}=${value}\n`);
  return 0;
}
