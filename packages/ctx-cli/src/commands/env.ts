import { findPlace, ownPlace } from '@cortexfs/linux/place';
import { flag, type Invocation } from '../command/command.ts';

/** `ctx env [--own]`: `KEY=VALUE` lines, or one JSON document. */
export async function run(invocation: Invocation): Promise<number> {
  const place = flag(invocation, 'own') ? ownPlace() : findPlace(invocation.root);
  const { kind, root, store, runtime, config, secrets } = place;
  const facts = { kind, root, store, runtime, config, secrets };
  if (invocation.json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else for (const [key, value] of Object.entries(facts)) process.stdout.write(`${key}=${value}\n`);
  return 0;
}
