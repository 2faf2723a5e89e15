import { quoted } from '../quote.ts';
import { type Codec, control, invalid } from './codec.ts';
import { oneLine } from './lines.ts';

export const MAX_U32 = 4_294_967_295;
/** The kernel keeps the last number for "no change", so that it is nobody's id. */
export const MAX_ID = MAX_U32 - 1;

/** A decimal number without sign, blanks or leading zeros, from `min` to `max` (both included). */
export function parseDecimal(text: string, what: string, { min = 0, max = MAX_U32 } = {}): number {
  const value = /^(?:0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw invalid(`${what} must be a decimal number from ${min} to ${max}, got ${quoted(text)}`);
  }
  return value;
}

/** A control that holds one uid or gid. */
export function idControl(name: string): Codec<number> {
  return control({
    parse: (text) => parseDecimal(oneLine(text), name, { max: MAX_ID }),
    format: (id) => `${id}\n`,
  });
}
