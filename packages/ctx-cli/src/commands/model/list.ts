import { readFileSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { type ModelId, parseModelName } from '@cortexfs/abi/names';
import { modelControl } from '@cortexfs/abi/paths';
import { type Provider, stableModel } from '@cortexfs/abi/provider';
import { findPlace, type Place } from '@cortexfs/linux/place';
import { isProvider, readProviders } from '@cortexfs/linux/providers';
import { readSecret } from '@cortexfs/linux/secret';
import type { Invocation } from '../../command/command.ts';
import { aliasesOf, idOf, modelsIn } from '../../model/projection.ts';

/** `ctx model list`: the models of the store, who serves them, and whether there is a key. */
export async function run({ root, json }: Invocation): Promise<number> {
  const place = findPlace(root);
  const found = readProviders(place);
  const providers = found.filter(isProvider);
  const rows = modelsIn(place.store).map((model) => row(place, model, providers));
  if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else for (const line of rows) process.stdout.write(`${shown(line)}\n`);
  for (const broken of found)
    if (broken instanceof CortexError)
      process.stderr.write(`ctx: ${broken.code}: ${broken.path}: ${broken.message}\n`);
  return 0;
}

function row(place: Place, model: ModelId, providers: readonly Provider[]) {
  const name = parseModelName(model);
  const id = idOf(place.store, model);
  const provider = providers.find((one) =>
    one.models.some((own) => own === id && stableModel(one.name, own) === model),
  );
  return {
    model,
    id: id ?? null,
    driver: controlLine(place, modelControl(name, 'driver')),
    limit: controlLine(place, modelControl(name, 'limit')),
    provider: provider?.name ?? null,
    enabled: provider === undefined ? null : (provider.enabled ?? true),
    key: provider === undefined ? null : keyState(place, provider),
    aliases: aliasesOf(place.store, model),
  };
}

function keyState({ secrets }: Place, { name }: Provider): 'set' | 'none' | 'refused' {
  try {
    return readSecret(secrets, name) === undefined ? 'none' : 'set';
  } catch {
    return 'refused';
  }
}

function shown({ model, driver, limit, provider, enabled, key, aliases }: ReturnType<typeof row>): string {
  const served = provider === null ? (driver === 'debug' ? 'offline' : 'no provider') : provider;
  const facts = [enabled === false ? 'not enabled' : '', key === null ? '' : `key ${key}`].filter(Boolean);
  const names = aliases.length === 0 ? '' : `  <- ${aliases.join(', ')}`;
  const columns = [
    model.padEnd(32),
    (driver ?? '?').padEnd(19),
    `limit ${limit ?? '?'}`.padEnd(14),
    served.padEnd(12),
  ];
  return `${columns.join(' ')} ${facts.join(', ')}${names}`.trimEnd();
}

function controlLine({ store }: Place, control: string): string | null {
  try {
    return readFileSync(`${store}/${control}`, 'utf8').trim().replaceAll('\n', ' ');
  } catch {
    return null;
  }
}
