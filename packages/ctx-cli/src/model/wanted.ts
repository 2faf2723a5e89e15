import { parseDecimal } from '@cortexfs/abi/controls/number';
import { CortexError } from '@cortexfs/abi/errors';
import { type ProviderName, parseProviderName } from '@cortexfs/abi/names';
import { NETWORK_DRIVERS, type NetworkDriver, type Provider, parseBaseUrl } from '@cortexfs/abi/provider';
import { flag, type Invocation, text } from '../command/command.ts';
import { PRESETS, type Preset, presetOf } from './presets.ts';

/** What a command line asks to add: a provider, by preset, by name or by address, and models of it. */
export interface Wanted {
  readonly provider: Pick<Provider, 'name' | 'base_url' | 'driver'>;
  readonly preset: Preset | undefined;
  readonly models: readonly string[];
  readonly limit: number | undefined;
  readonly keyFile: string | undefined;
}

/** @throws CortexError EINVAL when it does not say which provider, or says it twice. */
export function wantedOf(invocation: Invocation, known: readonly Provider[]): Wanted {
  const [word] = invocation.operands;
  const address = text(invocation, 'base-url');
  if ((word === undefined) === (address === undefined)) throw misuse('name either a preset or --base-url');
  const limit = text(invocation, 'limit');
  const preset = word === undefined ? undefined : presetOf(word);
  return {
    provider: address === undefined ? named(invocation, word!, known) : addressed(invocation, address),
    preset,
    models: stringsOf(invocation, 'model'),
    limit: limit === undefined ? undefined : parseDecimal(limit, 'limit', { min: 1 }),
    keyFile: text(invocation, 'key-file'),
  };
}

function named(invocation: Invocation, word: string, known: readonly Provider[]): Wanted['provider'] {
  if (text(invocation, 'name') !== undefined) throw misuse('--name goes with --base-url');
  const source = known.find(({ name }) => name === word) ?? presetOf(word);
  if (source === undefined)
    throw misuse(`${JSON.stringify(word)} is neither a preset nor a provider that you have`);
  return {
    name: parseProviderName(word),
    base_url: source.base_url,
    driver: driverOf(invocation) ?? source.driver,
  };
}

function addressed(invocation: Invocation, address: string): Wanted['provider'] {
  const base_url = parseBaseUrl(address);
  return {
    name: nameOf(text(invocation, 'name'), new URL(base_url).hostname),
    base_url,
    driver: driverOf(invocation) ?? 'openai-chat',
  };
}

/** `api.example.com` is called example; what has no such name has to be given one. */
function nameOf(name: string | undefined, host: string): ProviderName {
  if (name !== undefined) return parseProviderName(name);
  const labels = host.split('.');
  if (labels.length < 2 || /^[\d.]+$|:|^\[/.test(host)) throw misuse('an address needs a name: --name NAME');
  return parseProviderName(labels.at(-2)!);
}

function driverOf(invocation: Invocation): NetworkDriver | undefined {
  const word = text(invocation, 'driver');
  const driver = NETWORK_DRIVERS.find((candidate) => candidate === word);
  if (word === undefined || driver !== undefined) return driver;
  throw misuse(`--driver is one of ${NETWORK_DRIVERS.join(', ')}`);
}

function stringsOf({ values }: Invocation, option: string): string[] {
  const value = values[option];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

export function asksForAlias(invocation: Invocation): readonly ('main' | 'helper')[] {
  return (['main', 'helper'] as const).filter((alias) => flag(invocation, alias));
}

export function misuse(why: string): CortexError {
  return new CortexError('EINVAL', `model add: ${why}`, {
    hint: `ctx model add ${Object.keys(PRESETS).join('|')} --model MODEL, or ctx model add --help`,
  });
}
