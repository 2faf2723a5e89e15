import { CortexError } from './errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonKind } from './json.ts';

/** Checks a JSON value and gives it its type. `at` is where it stands, for the message: `observation.content`. */
export type Reader<T> = (value: JsonValue, at: string) => T;
/** A field that may be missing. */
export type OptionalReader<T> = Reader<T> & { readonly optional: true };

type Fields = Readonly<Record<string, Reader<unknown>>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends OptionalReader<unknown> ? K : never;
}[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
/** The type that a table of fields reads. */
export type Read<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: ReturnType<F[K]> } & {
    [K in OptionalKeys<F>]?: ReturnType<F[K]>;
  }
>;

/** An object with these fields. Others are left out of the result, or refused when the shape is `strict`. */
export function object<F extends Fields>(fields: F, { strict = false } = {}): Reader<Read<F>> {
  return (value, at) => {
    const source = anyObject(value, at);
    if (strict) refuseOthers(source, fields, at);
    const result: Record<string, unknown> = {};
    for (const [key, reader] of Object.entries(fields)) {
      const field = Object.hasOwn(source, key) ? source[key] : undefined;
      if (field !== undefined) result[key] = reader(field, below(at, key));
      else if (!('optional' in reader)) throw invalid(at, `the field "${key}" is missing`);
    }
    return result as Read<F>;
  };
}

/** One of several objects, told apart by the word in one of their fields. */
export function variant<T>(key: string, variants: Readonly<Record<string, Reader<T>>>): Reader<T> {
  return (value, at) => {
    const source = anyObject(value, at);
    const tag = Object.hasOwn(source, key) ? source[key] : undefined;
    if (tag === undefined) throw invalid(at, `the field "${key}" is missing`);
    if (typeof tag !== 'string') throw mismatch(below(at, key), 'a string', tag);
    if (!Object.hasOwn(variants, tag))
      throw invalid(at, `unknown ${key} ${shown(tag)}`, wordsHint(Object.keys(variants)));
    return variants[tag]!(value, at);
  };
}

export function optional<T>(reader: Reader<T>): OptionalReader<T> {
  return Object.assign<Reader<T>, { readonly optional: true }>((value, at) => reader(value, at), {
    optional: true,
  });
}

export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, at) => (value === null ? null : reader(value, at));
}

/** A string to `maxBytes` of UTF-8 (EMSGSIZE beyond). NUL is refused unless `nul` is set. */
export function text({ maxBytes = Number.POSITIVE_INFINITY, nul = false } = {}): Reader<string> {
  return (value, at) => {
    if (typeof value !== 'string') throw mismatch(at, 'a string', value);
    const bytes = value.length * 3 <= maxBytes ? 0 : Buffer.byteLength(value);
    if (bytes > maxBytes) throw tooLarge(at, bytes, maxBytes);
    if (!nul && value.includes('\0')) throw invalid(at, 'a NUL character is not allowed');
    return value;
  };
}

/** A string that a parser turns into something more precise; its CortexError is told with the place. */
export function parsed<T>(parse: (text: string) => T): Reader<T> {
  return (value, at) => {
    if (typeof value !== 'string') throw mismatch(at, 'a string', value);
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof CortexError)) throw error;
      throw new CortexError(error.code, `${place(at)}${error.message}`, {
        layer: error.layer,
        hint: error.hint,
        cause: error,
      });
    }
  };
}

export function oneOf<const W extends string>(...words: readonly W[]): Reader<W> {
  return (value, at) => {
    const word = words.find((candidate) => candidate === value);
    if (word !== undefined) return word;
    const wanted = words.map((candidate) => `"${candidate}"`).join(' or ');
    if (typeof value !== 'string') throw mismatch(at, wanted, value);
    throw invalid(at, `expected ${wanted}, not ${shown(value)}`);
  };
}

export function integer(min = 0, max = Number.MAX_SAFE_INTEGER): Reader<number> {
  return (value, at) => {
    if (typeof value !== 'number') throw mismatch(at, 'an integer', value);
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    throw invalid(at, `expected an integer from ${min} to ${max}, not ${value}`);
  };
}

export const flag: Reader<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw mismatch(at, 'true or false', value);
  return value;
};

export const anyObject: Reader<JsonObject> = (value, at) => {
  if (!isJsonObject(value)) throw mismatch(at, 'an object', value);
  return value;
};

export function list<T>(item: Reader<T>, maxLength = Number.POSITIVE_INFINITY): Reader<T[]> {
  return (value, at) => {
    if (!isArray(value)) throw mismatch(at, 'an array', value);
    if (value.length > maxLength) throw invalid(at, `at most ${maxLength} items, not ${value.length}`);
    return value.map((element, index) => item(element, `${at}[${index}]`));
  };
}

/** An absolute path without NUL, line breaks or tabs, to 4096 bytes. */
export const absolutePath: Reader<string> = (value, at) => {
  const path = text({ maxBytes: 4096 })(value, at);
  if (!path.startsWith('/')) throw invalid(at, `expected an absolute path, not ${shown(path)}`);
  if (/[\n\t\r]/.test(path)) throw invalid(at, 'a line break or tab is not allowed in a path');
  return path;
};

/** Bytes as canonical base64 with padding; the text is kept, checked. */
export const base64: Reader<string> = (value, at) => {
  if (typeof value !== 'string') throw mismatch(at, 'base64 text', value);
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) throw invalid(at, 'not valid base64');
  return value;
};

/** Reads a whole document with a reader, naming it in messages: `invalid launch receipt: …`. */
export function readAs<T>(what: string, reader: Reader<T>, value: JsonValue): T {
  try {
    return reader(value, '');
  } catch (error) {
    if (!(error instanceof CortexError)) throw error;
    const { layer, hint } = error;
    throw new CortexError(error.code, `invalid ${what}: ${error.message}`, { layer, hint, cause: error });
  }
}

function refuseOthers(source: JsonObject, fields: Fields, at: string): void {
  const other = Object.keys(source).find((key) => !Object.hasOwn(fields, key));
  if (other === undefined) return;
  throw invalid(at, `unknown field ${shown(other)}`, wordsHint(Object.keys(fields), 'fields'));
}

function wordsHint(words: string[], what = 'known'): string {
  return `${what}: ${words.join(' ')}`;
}

function mismatch(at: string, wanted: string, value: JsonValue): CortexError {
  return invalid(at, `expected ${wanted}, not ${jsonKind(value)}`);
}

function tooLarge(at: string, bytes: number, maxBytes: number): CortexError {
  return new CortexError('EMSGSIZE', `${place(at)}${bytes} bytes are more than the limit of ${maxBytes}`, {
    layer: 'format',
  });
}

function invalid(at: string, why: string, hint?: string): CortexError {
  return new CortexError('EINVAL', `${place(at)}${why}`, { layer: 'format', hint });
}

function place(at: string): string {
  return at === '' ? '' : `"${at}": `;
}

function below(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}

function shown(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 57)}...` : word);
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
