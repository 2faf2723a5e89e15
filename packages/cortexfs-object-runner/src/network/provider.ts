import { CortexError } from '@cortexfs/abi/errors';
import { type Provider, stableModel } from '@cortexfs/abi/provider';
import { findPlace } from '@cortexfs/linux/place';
import { isProvider, readProviders } from '@cortexfs/linux/providers';
import { readSecret } from '@cortexfs/linux/secret';

export interface FoundProvider {
  readonly provider: Provider;
  readonly key: string | undefined;
}

/**
 * Who serves the model, and the key for it: the provider that offers this id and under whose configuration it has this name. A model
 * object alone leads no key anywhere. ENOENT when nobody offers it, EHOSTDOWN when that provider is switched off.
 */
export function findProvider(path: string, id: string): FoundProvider {
  const place = findPlace();
  const found = readProviders(place);
  const provider = found
    .filter(isProvider)
    .find(({ name, models }) => models.includes(id) && `model/${stableModel(name, id)}` === path);
  if (provider === undefined)
    throw found.find((entry) => !isProvider(entry)) ?? notOffered(path, id, place.config);
  if (provider.enabled === false)
    throw new CortexError('EHOSTDOWN', `the provider ${provider.name} is not enabled`, {
      path,
      layer: 'model',
      hint: `set "enabled" in providers.d/${provider.name}.json`,
    });
  return { provider, key: readSecret(place.secrets, provider.name) };
}

function notOffered(path: string, id: string, config: string): CortexError {
  return new CortexError('ENOENT', `no provider offers the model id ${JSON.stringify(id)} under this name`, {
    path,
    layer: 'model',
    hint: `ctx model add, or look into ${config}/providers.d`,
  });
}
