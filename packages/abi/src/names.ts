import { CortexError } from './errors.ts';

declare const brand: unique symbol;
type Branded<Kind extends string> = string & { readonly [brand]: Kind };

/** An agent, tool or model alias: one path component. */
export type ObjectName = Branded<'object'>;
export type ProviderName = Branded<'provider'>;
export type SessionName = Branded<'session'>;
export type SpaceName = Branded<'space'>;
/** `provider/model`. */
export type ModelId = Branded<'model'>;
export type RunId = Branded<'run'>;
/** Chosen by a client for a request: 1 to 128 visible ASCII characters. */
export type RequestId = Branded<'request'>;
/** Chosen by a model or agent for a tool call: 1 to 128 visible ASCII characters. */
export type CallId = Branded<'call'>;

/** The two components of a model's stable identity. */
export interface ModelName {
  provider: ProviderName;
  model: ObjectName;
}

export const MAX_NAME_LENGTH = 64;
export const MAX_ID_LENGTH = 128;

const grammar = /^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,63}$/;
const visibleAscii = /^[\x21-\x7e]{1,128}$/;

/**
 * A name below agent/ or tool/, or a component below model/: `[a-zA-Z0-9][a-zA-Z0-9._+-]{0,63}`, not ending in
 * `.sock` or `.d`. EINVAL, or ENAMETOOLONG over 64 characters. See docs/names.md.
 */
export function parseObjectName(text: string): ObjectName {
  return parseComponent(text, 'object') as ObjectName;
}

export function isObjectName(text: string): text is ObjectName {
  return faultOf(text) === undefined;
}

export function parseProviderName(text: string): ProviderName {
  return parseComponent(text, 'provider') as ProviderName;
}

/** As an object name; `index` is taken by the list of sessions beside them. */
export function parseSessionName(text: string): SessionName {
  const name = parseComponent(text, 'session');
  if (name === 'index')
    throw refuse('session', name, 'the name "index" is reserved for the list of sessions');
  return name as SessionName;
}

export function parseSpaceName(text: string): SpaceName {
  return parseComponent(text, 'shared space') as SpaceName;
}

/** `provider/model`: exactly two components, each an object name. */
export function parseModelName(text: string): ModelName {
  const parts = text.split('/');
  const [provider, model] = parts;
  if (parts.length !== 2 || provider === undefined || model === undefined)
    throw refuse('model', text, 'expected provider/model');
  return { provider: parseProviderName(provider), model: parseObjectName(model) };
}

export function formatModelName({ provider, model }: ModelName): ModelId {
  return `${provider}/${model}` as ModelId;
}

/** What an agent's `model` control or a request may name: `provider/model`, or an alias such as `main`. */
export function parseModelReference(text: string): ModelId | ObjectName {
  return text.includes('/') ? formatModelName(parseModelName(text)) : parseObjectName(text);
}

/** As an object name, so that it can name a directory of the runtime tree. */
export function parseRunId(text: string): RunId {
  return parseComponent(text, 'run') as RunId;
}

export function parseRequestId(text: string): RequestId {
  return parseVisible(text, 'request id') as RequestId;
}

export function parseCallId(text: string): CallId {
  return parseVisible(text, 'tool call id') as CallId;
}

/** A decimal user id without sign or leading zeros, below 2^32 - 1 (which the kernel keeps for "nobody"). */
export function parseUid(text: string): number {
  const uid = /^(0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : Number.NaN;
  if (uid < 0xffff_ffff) return uid;
  throw refuse('user id', text, 'expected a decimal number below 4294967295, without sign or leading zeros');
}

function parseComponent(text: string, kind: string): string {
  const fault = faultOf(text);
  if (fault !== undefined) throw refuse(kind, text, fault);
  return text;
}

function faultOf(text: string): string | undefined {
  if (grammar.test(text))
    return /\.(sock|d)$/.test(text) ? 'the endings ".sock" and ".d" are reserved' : undefined;
  if (text === '') return 'it is empty';
  const wrong = [...text].find((char) => !/^[a-zA-Z0-9._+-]$/.test(char));
  if (wrong !== undefined) return `${JSON.stringify(wrong)} is not allowed; use letters, digits and . _ + -`;
  if (!/^[a-zA-Z0-9]/.test(text)) return 'it must begin with a letter or digit';
  return tooLong;
}

const tooLong = `it is longer than ${MAX_NAME_LENGTH} characters`;

function parseVisible(text: string, kind: string): string {
  if (!visibleAscii.test(text))
    throw refuse(kind, text, `expected 1 to ${MAX_ID_LENGTH} visible ASCII characters`);
  return text;
}

function refuse(kind: string, text: string, why: string): CortexError {
  const shown = text.length > 80 ? `${text.slice(0, 77)}...` : text;
  return new CortexError(
    why === tooLong ? 'ENAMETOOLONG' : 'EINVAL',
    `${JSON.stringify(shown)} is not a valid ${kind}${kind.endsWith('id') ? '' : ' name'}: ${why}`,
    { layer: 'name' },
  );
}
