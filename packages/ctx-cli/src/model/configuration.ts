import { mkdirSync, rmSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { formatProvider, type Provider, parseProvider } from '@cortexfs/abi/provider';
import { writeDurableSync } from '@cortexfs/linux/durable-write';
import type { Place } from '@cortexfs/linux/place';
import { isProvider, providersDirectory, readProviders } from '@cortexfs/linux/providers';

/** The providers that this command may change: one's own, or as root on the machine's deployment the machine's. */
export function ownProviders(place: Place): Provider[] {
  const found = readProviders({ kind: 'user', config: place.config });
  const fault = found.find((entry) => entry instanceof CortexError);
  if (fault instanceof CortexError) throw fault;
  return found.filter(isProvider);
}

/** The configuration with more models in it; what it said of others stays. */
export function extended(
  before: Provider | undefined,
  { name, base_url, driver }: Pick<Provider, 'name' | 'base_url' | 'driver'>,
  models: readonly string[],
  limit: number | undefined,
): Provider {
  const limits = limit === undefined ? {} : Object.fromEntries(models.map((id) => [id, limit]));
  const all = [...new Set([...(before?.models ?? []), ...models])];
  return parseProvider(
    JSON.stringify({
      ...before,
      name,
      base_url,
      driver,
      models: all,
      default_model: before?.default_model ?? all[0],
      model_limits: { ...before?.model_limits, ...limits },
      enabled: before?.enabled ?? true,
    }),
  );
}

/** The configuration without a model; undefined when none is left. */
export function reduced(provider: Provider, id: string): Provider | undefined {
  const models = provider.models.filter((candidate) => candidate !== id);
  if (models.length === 0) return undefined;
  const { [id]: _, ...model_limits } = provider.model_limits ?? {};
  const stays = provider.default_model !== id;
  return { ...provider, models, model_limits, default_model: stays ? provider.default_model! : models[0]! };
}

export function writeProvider({ config }: Place, provider: Provider): void {
  const directory = providersDirectory(config);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    writeDurableSync(`${directory}/${provider.name}.json`, formatProvider(provider), { mode: 0o644 });
  } catch (error) {
    throw fromNodeError(error, { path: `${directory}/${provider.name}.json`, layer: 'store' });
  }
}

export function removeProvider({ config }: Place, { name }: Provider): void {
  rmSync(`${providersDirectory(config)}/${name}.json`, { force: true });
}
