import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Deployment } from '@cortexfs/abi/deployment';
import { SYSTEM } from '@cortexfs/abi/deployment';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { isObjectName } from '@cortexfs/abi/names';
import { type Provider, parseProvider } from '@cortexfs/abi/provider';
import { codeOf } from './native.ts';

const MAX_BYTES = 256 * 1024;

export const providersDirectory = (config: string) => `${config}/providers.d`;

/**
 * The providers that a user has, in name order: their own, then on the machine's deployment those of the machine, where theirs have
 * no such name. A file that cannot be read or is broken is given as its error, for it must not hide the others.
 */
export function readProviders({
  kind,
  config,
}: Pick<Deployment, 'kind' | 'config'>): (Provider | CortexError)[] {
  const places = kind === 'system' && config !== SYSTEM.config ? [config, SYSTEM.config] : [config];
  const found = new Map<string, Provider | CortexError>();
  for (const place of places) {
    for (const name of namesIn(providersDirectory(place)))
      if (!found.has(name)) found.set(name, readProvider(`${providersDirectory(place)}/${name}.json`, name));
  }
  return [...found.values()];
}

export function isProvider(found: Provider | CortexError): found is Provider {
  return !(found instanceof CortexError);
}

function readProvider(path: string, name: string): Provider | CortexError {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size > MAX_BYTES) throw new CortexError('EINVAL', 'it is no small file');
      const provider = parseProvider(readFileSync(fd, 'utf8'));
      if (provider.name === name) return provider;
      throw new CortexError('EINVAL', `it holds the provider "${provider.name}"; the file's name must agree`);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return fromNodeError(error, { path, layer: 'format' });
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .filter(isObjectName)
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw fromNodeError(error, { path: directory, layer: 'format' });
  }
}
