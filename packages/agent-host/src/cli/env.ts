import { loadDefinition } from '../definition/load.ts';
import { siteOf } from '../launch/site.ts';
import { environmentOf } from '../sandbox/environment.ts';
import type { Arguments } from './arguments.ts';

/** What every process of the agent starts with; a run adds its own variables (docs/run.md). */
export async function env(args: Arguments): Promise<number> {
  const variables = environmentOf(loadDefinition(siteOf(args).store, args.name!));
  process.stdout.write(
    args.json
      ? `${JSON.stringify(Object.fromEntries(variables))}\n`
      : [...variables].map(([name, value]) => `${name}=${value}\n`).join(''),
  );
  return 0;
}
