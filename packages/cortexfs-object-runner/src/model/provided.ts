import { CortexError } from '@cortexfs/abi/errors';
import { requireFrom } from '@cortexfs/linux/installed-require';
import type * as Network from '../network/network.ts';
import { readSettings } from '../network/settings.ts';
import type { OpenedObject } from '../object.ts';
import type { Model } from './model.ts';

/**
 * A model that a provider serves, or undefined when its driver needs none. What talks to providers lies in a bundle of its own beside
 * this one: the models that work offline start without it.
 */
export function providedModel({ name, file }: OpenedObject): Model | undefined {
  const path = `model/${name}`;
  const settings = readSettings(file, path);
  // A run's own calls are its agent's; anything else was executed.
  const { agent, exec, default: usual } = settings.driver;
  const drivers = (process.env['CTX_RUN_ID'] === undefined ? exec : agent) ?? usual;
  const driver = drivers.find((candidate) => candidate !== 'debug');
  if (driver === undefined) return undefined;
  return {
    usage: `${name}: served by a provider through the driver ${driver}.
Input: text or {"messages":[…],"tools":[…]}, as arguments or on standard input.
`,
    async *answer(input) {
      const { answer } = requireFrom(import.meta.url)('./network.js') as typeof Network;
      try {
        yield* answer({ path, driver, settings, input });
      } catch (error) {
        throw ofThisBundle(error);
      }
    },
  };
}

/** Each bundle has a class of its own for the same errors. */
function ofThisBundle(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'CortexError') return error;
  const { code, message, ...context } = error as CortexError;
  return new CortexError(code, message, { ...context, path: (error as CortexError).path });
}
