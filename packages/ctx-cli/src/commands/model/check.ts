import { readFileSync } from 'node:fs';
import { CortexError, describeError } from '@cortexfs/abi/errors';
import { type ModelId, parseModelName } from '@cortexfs/abi/names';
import { modelControl } from '@cortexfs/abi/paths';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { findPlace, type Place } from '@cortexfs/linux/place';
import type { Invocation } from '../../command/command.ts';
import { modelsIn } from '../../model/projection.ts';
import { type Tried, triedAs, triedJson } from '../../model/try-call.ts';
import { findModel } from '../../place/model.ts';

/** `ctx model check [NAME]`: asks one model, or each that a provider serves, a short question. The exit code is the last failure's. */
export async function run({ operands, root, json }: Invocation): Promise<number> {
  const place = findPlace(root);
  const models =
    operands[0] === undefined ? modelsIn(place.store).filter(served(place)) : [named(place, operands[0])];
  const results = [];
  let exitCode = 0;
  for (const model of models) {
    const tried = await triedAs(place, model);
    if (!tried.ok) exitCode = tried.failure.exitCode;
    results.push(triedJson(tried));
    if (!json) process.stdout.write(shown(tried));
  }
  if (json) process.stdout.write(`${JSON.stringify(results)}\n`);
  else if (models.length === 0) process.stdout.write('no model of a provider; ctx model add --help\n');
  return exitCode;
}

function shown(tried: Tried): string {
  if (tried.ok) return `ok    ${tried.model}  ${oneLine(tried.answer).slice(0, 120)}\n`;
  const { hint } = tried.failure;
  const advice = hint === undefined ? '' : `\n      hint: ${oneLine(hint)}`;
  return `fail  ${tried.model}  ${describeError(tried.failure)}${advice}\n`;
}

function served({ store }: Place) {
  return (model: ModelId) => {
    try {
      return readFileSync(`${store}/${modelControl(parseModelName(model), 'driver')}`, 'utf8') !== 'debug\n';
    } catch {
      return false;
    }
  };
}

function named({ store }: Place, reference: string): ModelId {
  const found = findModel(store, reference, process.getuid!());
  if (found !== undefined) return found.id as ModelId;
  throw new CortexError('ENOENT', 'there is no such model or alias', {
    path: `model/${reference}`,
    layer: 'model',
    hint: 'ctx model list',
  });
}
