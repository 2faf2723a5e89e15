import type { ErrnoName } from '../errno.ts';
import { CortexError } from '../errors.ts';
import { isJsonObject, type JsonObject, jsonKind } from '../json.ts';
import { quoted } from '../quote.ts';

/** One thing that is wrong with a manifest. */
export interface ManifestFault {
  /** Where, as keys with dots between them: `controls.policy`. Empty for the document as a whole. */
  at: string;
  code: ErrnoName;
  message: string;
  /** Line of the control's text. */
  line?: number;
  hint?: string;
}

/** Collects what is wrong while a document is read on. */
export class Faults {
  readonly list: ManifestFault[] = [];

  static fault(message: string, code: ErrnoName = 'EINVAL'): CortexError {
    return new CortexError(code, message, { layer: 'manifest' });
  }

  /** Returns undefined, so that a check can end with it. */
  add(at: string, message: string): undefined {
    this.list.push({ at, code: 'EINVAL', message });
    return undefined;
  }

  /** What `read` returns, or undefined and a fault. */
  try<T>(at: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (err) {
      return this.#record(at, err);
    }
  }

  /** The same where reading takes time. */
  async attempt<T>(at: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (err) {
      return this.#record(at, err);
    }
  }

  #record(at: string, err: unknown): undefined {
    if (!(err instanceof CortexError)) throw err;
    const { code, message, line, hint } = err;
    this.list.push({
      at,
      code,
      message,
      ...(line === undefined ? {} : { line }),
      ...(hint === undefined ? {} : { hint }),
    });
  }

  /** The member `key` of an object, which must be a string that `parse` reads. */
  string<T>(at: string, object: JsonObject, key: string, parse: (text: string) => T): T | undefined {
    const place = within(at, key);
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value === undefined) return this.add(place, 'is missing');
    if (typeof value !== 'string') return this.add(place, `must be a string, not ${jsonKind(value)}`);
    return this.try(place, () => parse(value));
  }

  /** The member `key` of an object, which must be an object. */
  object(at: string, object: JsonObject, key: string): JsonObject | undefined {
    const place = within(at, key);
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value === undefined) return this.add(place, 'is missing');
    if (isJsonObject(value)) return value;
    return this.add(place, `must be an object, not ${jsonKind(value)}`);
  }

  unknownKeys(at: string, object: JsonObject, known: readonly string[]): void {
    for (const key of Object.keys(object)) {
      if (!known.includes(key)) this.add(at, `has an unknown key ${quoted(key)}`);
    }
  }
}

export function within(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}
