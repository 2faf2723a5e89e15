import { CortexError } from './errors.ts';

export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Deepest nesting of arrays and objects that is read. */
export const MAX_JSON_DEPTH = 64;

export interface JsonOptions {
  maxDepth?: number;
}

/**
 * Reads one JSON text (RFC 8259) at a boundary, stricter than `JSON.parse`: duplicate keys, lone surrogates,
 * numbers beyond the range of a double and nesting over 64 are EINVAL. A `__proto__` key is a key like any
 * other and never a prototype. The message tells the offset in UTF-16 units. See docs/sockets.md.
 */
export function parseJson(text: string, options: JsonOptions = {}): JsonValue {
  return new Reader(text, options.maxDepth ?? MAX_JSON_DEPTH).document();
}

/** As `parseJson`; anything but an object is EINVAL. */
export function parseJsonObject(text: string, options: JsonOptions = {}): JsonObject {
  const value = parseJson(text, options);
  if (isJsonObject(value)) return value;
  throw new CortexError('EINVAL', `expected a JSON object, not ${jsonKind(value)}`, { layer: 'format' });
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The kind of a JSON value in words, for messages. */
export function jsonKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return { boolean: 'a boolean', number: 'a number', string: 'a string', object: 'an object' }[
    typeof value as 'boolean' | 'number' | 'string' | 'object'
  ];
}

/** The value as JSON with sorted keys, so that equal values give equal texts whatever their spelling. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`);
  return `{${members.join(',')}}`;
}

class Reader {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  document(): JsonValue {
    this.#blank();
    const value = this.#value();
    this.#blank();
    if (this.#at < this.#text.length) this.#fail('unexpected text after the value');
    return value;
  }

  #value(): JsonValue {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  /** Recursion is bounded by the depth limit, so that no input can exhaust the stack. */
  #nested<T>(read: () => T): T {
    if (this.#depth === this.#maxDepth) this.#fail(`nested deeper than ${this.#maxDepth} levels`);
    this.#depth++;
    this.#at++;
    this.#blank();
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): JsonObject {
    const object: Record<string, JsonValue> = {};
    if (this.#skip('}')) return object;
    do {
      this.#blank();
      const start = this.#at;
      if (this.#text[start] !== '"') this.#fail('expected a key in double quotes');
      const key = this.#string();
      if (Object.hasOwn(object, key)) this.#fail(`duplicate key ${quote(key)}`, start);
      this.#blank();
      if (!this.#skip(':')) this.#fail(`expected ":" after the key ${quote(key)}`);
      this.#blank();
      setOwn(object, key, this.#value());
      this.#blank();
    } while (this.#skip(','));
    if (!this.#skip('}')) this.#fail('expected "," or "}"');
    return object;
  }

  #array(): JsonArray {
    const array: JsonValue[] = [];
    if (this.#skip(']')) return array;
    do {
      this.#blank();
      array.push(this.#value());
      this.#blank();
    } while (this.#skip(','));
    if (!this.#skip(']')) this.#fail('expected "," or "]"');
    return array;
  }

  #string(): string {
    const start = this.#at++;
    let out = '';
    for (;;) {
      plainCharacters.lastIndex = this.#at;
      const run = plainCharacters.exec(this.#text)![0];
      this.#at += run.length;
      out = out === '' ? run : out + run;
      if (this.#skip('"')) break;
      if (this.#at >= this.#text.length) this.#fail('string without an end', start);
      if (!this.#skip('\\')) this.#fail('unescaped control character in a string');
      out += this.#escape();
    }
    if (loneSurrogate.test(out)) this.#fail('lone surrogate in a string', start);
    return out;
  }

  #escape(): string {
    const char = this.#text[this.#at++] ?? '';
    const plain = escapes[char];
    if (plain !== undefined) return plain;
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (char !== 'u' || !/^[0-9a-fA-F]{4}$/.test(digits))
      this.#fail('invalid escape in a string', this.#at - 2);
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): number {
    numberPattern.lastIndex = this.#at;
    const digits = numberPattern.exec(this.#text)?.[0];
    if (digits === undefined)
      return this.#fail(
        this.#at < this.#text.length ? 'expected a JSON value' : 'unexpected end, expected a JSON value',
      );
    const value = Number(digits);
    if (!Number.isFinite(value)) this.#fail('number out of range');
    this.#at += digits.length;
    return value;
  }

  #word<T extends JsonValue>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('expected a JSON value');
    this.#at += word.length;
    return value;
  }

  #blank(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #fail(what: string, at = this.#at): never {
    throw new CortexError('EINVAL', `invalid JSON at offset ${at}: ${what}`, { layer: 'format' });
  }
}

const plainCharacters = /[^"\\\u0000-\u001f]*/y;
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const loneSurrogate = /[\ud800-\udfff]/u;

const escapes: Record<string, string> = Object.assign(Object.create(null), {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
});

/** Plain assignment would turn a `__proto__` key into the prototype. */
function setOwn(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function quote(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 37)}...` : key);
}
