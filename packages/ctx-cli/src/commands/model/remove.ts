import { CortexError } from '@cortexfs/abi/errors';
import { type ModelId, parseModelReference } from '@cortexfs/abi/names';
import { type Provider, stableModel } from '@cortexfs/abi/provider';
import { findPlace, type Place } from '@cortexfs/linux/place';
import { removeSecret } from '@cortexfs/linux/secret';
import type { Invocation } from '../../command/command.ts';
import { ownProviders, reduced, removeProvider, writeProvider } from '../../model/configuration.ts';
import { modelsPlace } from '../../model/place.ts';
import { unprojectModel } from '../../model/projection.ts';

/** `ctx model remove PROVIDER|MODEL`: takes a model away, or a provider with its models; with the last model go configuration and key. */
export async function run({ operands, root, json }: Invocation): Promise<number> {
  const place = modelsPlace(findPlace(root));
  const reference = parseModelReference(operands[0]!);
  const targets = targetsOf(ownProviders(place), reference);
  if (targets.length === 0) throw nothing(reference);
  const removed = targets.map((target) => remove(place, target));
  if (json) process.stdout.write(`${JSON.stringify(removed)}\n`);
  else
    for (const { model, aliases, provider } of removed) {
      process.stdout.write(`removed  ${model}\n`);
      for (const alias of aliases) process.stdout.write(`alias    ${alias} -> debug/script\n`);
      if (provider !== undefined) process.stdout.write(`removed  provider ${provider} and its key\n`);
    }
  return 0;
}

interface Target {
  readonly provider: Provider;
  readonly id: string;
  readonly model: ModelId;
}

function targetsOf(providers: readonly Provider[], reference: string): Target[] {
  return providers
    .flatMap((provider) =>
      provider.models.map((id) => ({ provider, id, model: stableModel(provider.name, id) })),
    )
    .filter(({ provider, model }) => model === reference || provider.name === reference);
}

/** From the store first: what is left when this is interrupted can be removed again. */
function remove(place: Place, { provider, id, model }: Target) {
  const aliases = unprojectModel(place.store, model);
  const current = ownProviders(place).find(({ name }) => name === provider.name);
  const rest = current === undefined ? undefined : reduced(current, id);
  if (rest !== undefined) {
    writeProvider(place, rest);
    return { model, aliases };
  }
  removeSecret(place.secrets, provider.name);
  removeProvider(place, provider);
  return { model, aliases, provider: provider.name };
}

function nothing(reference: string): CortexError {
  return new CortexError('ENOENT', 'no provider of yours has it', {
    path: `model/${reference}`,
    layer: 'model',
    hint: 'ctx model list; offline models cannot be removed',
  });
}
