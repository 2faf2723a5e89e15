import { DRIVERS, type DriverName } from './controls/model/driver.ts';
import { CortexError } from './errors.ts';
import { isJsonObject, type JsonValue, parseJsonObject } from './json.ts';
import {
  formatModelName,
  type ModelId,
  type ProviderName,
  parseModelName,
  parseProviderName,
} from './names.ts';
import { flag, integer, list, object, oneOf, optional, parsed, type Reader, readAs, text } from './shape.ts';

/** Drivers that reach a provider; `debug` needs none. */
export const NETWORK_DRIVERS = DRIVERS.filter((name): name is NetworkDriver => name !== 'debug');
export type NetworkDriver = Exclude<DriverName, 'debug'>;

/** `providers.d/NAME.json`: where models are served, without any key. See docs/models.md. */
export interface Provider {
  name: ProviderName;
  base_url: string;
  driver: NetworkDriver;
  /** The provider's own model ids. */
  models: string[];
  default_model?: string;
  /** Context limits in tokens, by model id. */
  model_limits?: Readonly<Record<string, number>>;
  /** Default true. */
  enabled?: boolean;
}

/** One file of providers.d; unknown keys are refused. */
export function parseProvider(json: string): Provider {
  const provider = readAs('provider', shape, parseJsonObject(json));
  if (provider.models.length === 0) throw invalid('it offers no model');
  const stray = [
    ...(provider.default_model === undefined ? [] : [provider.default_model]),
    ...Object.keys(provider.model_limits ?? {}),
  ].find((id) => !provider.models.includes(id));
  if (stray !== undefined) throw invalid(`${JSON.stringify(stray)} is not among its models`);
  return provider;
}

export function formatProvider(provider: Provider): string {
  return `${JSON.stringify(provider, undefined, 2)}\n`;
}

/**
 * The stable name of a provider's model. An id such as `openai/gpt-5.6` says whose model it is: the name of whoever passes it
 * on stays out. What names may not hold becomes `-`.
 */
export function stableModel(provider: ProviderName, id: string): ModelId {
  const [vendor, ...rest] = id.split('/');
  const [whose, model] = rest.length === 0 ? [provider, id] : [vendor!, rest.join('-')];
  return formatModelName(parseModelName(`${component(whose)}/${component(model)}`));
}

function component(word: string): string {
  return word.replace(/[^a-zA-Z0-9._+-]/g, '-');
}

const MAX_MODELS = 1024;
const modelId = parsed((word) => {
  if (/^[\x21-\x7e]{1,256}$/.test(word)) return word;
  throw invalid(`${JSON.stringify(word.slice(0, 80))} is not a model id: 1 to 256 visible ASCII characters`);
});

const limits: Reader<Record<string, number>> = (value: JsonValue, at) => {
  if (!isJsonObject(value)) throw invalid(`"${at}": expected an object`);
  return Object.fromEntries(
    Object.entries(value).map(([id, limit]) => [id, integer(1, 0xffff_ffff)(limit, `${at}.${id}`)]),
  );
};

const shape: Reader<Provider> = object(
  {
    name: parsed(parseProviderName),
    base_url: parsed(parseBaseUrl),
    driver: oneOf(...NETWORK_DRIVERS),
    models: list(modelId, MAX_MODELS),
    default_model: optional(text()),
    model_limits: optional(limits),
    enabled: optional(flag),
  },
  { strict: true },
);

/** An http or https address without anything secret in it; no slash at its end. */
export function parseBaseUrl(word: string): string {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid('the base URL is not an http or https address');
  if (url.username !== '' || url.password !== '')
    throw invalid('the base URL holds a user name or password; keys belong in --key-file');
  if (url.search !== '' || url.hash !== '')
    throw invalid('the base URL has a query or a fragment; keys belong in --key-file');
  return word.replace(/\/+$/, '');
}

function invalid(why: string): CortexError {
  return new CortexError('EINVAL', why, { layer: 'format' });
}
