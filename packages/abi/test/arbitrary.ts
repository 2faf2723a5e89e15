import fc from 'fast-check';
import { CortexError } from '../src/errors.ts';
import type { JsonObject } from '../src/json.ts';
import {
  type CallId,
  isObjectName,
  type ObjectName,
  type RequestId,
  type RunId,
  type SessionName,
} from '../src/names.ts';
import type { Timestamp } from '../src/timestamp.ts';

/** Any sequence of UTF-16 units, lone surrogates and controls included. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0x9f }),
      fc.constantFrom(0xd800, 0xdc00, 0x202e, 0x1b, 0x22, 0x5c),
    ),
    { maxLength: 60 },
  )
  .map((units) => String.fromCharCode(...units));

/** Well-formed Unicode, also outside of the basic plane and with control characters. */
export const anyText: fc.Arbitrary<string> = fc.string({ unit: 'binary', maxLength: 60 });
export const textWithoutNul: fc.Arbitrary<string> = anyText.map((text) => text.replaceAll('\0', ''));

export const objectName = fc
  .stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,63}$/)
  .filter(isObjectName) as fc.Arbitrary<ObjectName>;
export const sessionName = objectName.filter(
  (name) => name !== ('index' as string),
) as fc.Arbitrary<string> as fc.Arbitrary<SessionName>;
export const runId = objectName as fc.Arbitrary<string> as fc.Arbitrary<RunId>;
export const requestId = fc.stringMatching(/^[\x21-\x7e]{1,128}$/) as fc.Arbitrary<RequestId>;
export const callId = requestId as fc.Arbitrary<string> as fc.Arbitrary<CallId>;
export const timestamp: fc.Arbitrary<Timestamp> = fc
  .date({
    min: new Date('1970-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
export const absolutePath = fc
  .array(fc.stringMatching(/^[^/\0\n\r\t]{1,12}$/), { maxLength: 5 })
  .map((parts) => `/${parts.join('/')}`);
export const base64 = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'));
export const jsonObject = fc.dictionary(anyText, fc.jsonValue({ stringUnit: 'binary' }), {
  maxKeys: 5,
}) as fc.Arbitrary<JsonObject>;

/** Objects that look a little like frames: known words as keys and values, and anything else. */
export function nearFrame(words: readonly string[]): fc.Arbitrary<JsonObject> {
  const key = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom('__proto__', 'constructor', 'toString'),
    anyText,
  );
  const value = fc.oneof(fc.constantFrom(...words), fc.jsonValue({ stringUnit: 'binary' }));
  const entries = fc.array(fc.tuple(key, value), { maxLength: 12 });
  return entries.map((pairs) => JSON.parse(JSON.stringify(Object.fromEntries(pairs))) as JsonObject);
}

/** Calls a parser; a CortexError is a fair answer, anything else thrown fails the property. */
export function parsesOrRefuses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof CortexError && error.message !== '') return true;
    throw error;
  }
}

/** What a reader on the other side of a socket or file gets. */
export function overTheWire<T>(value: T): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
