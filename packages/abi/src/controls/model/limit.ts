import { type Codec, control } from '../codec.ts';
import { oneLine } from '../lines.ts';
import { parseDecimal } from '../number.ts';

/** Tokens of context that the model accepts. */
export type Limit = 'unknown' | number;

/** `model/P/M.d/limit`: the context limit in tokens, or `unknown`; a projection nobody writes (docs/controls.md). */
export const limit: Codec<Limit> = control({
  parse(text) {
    const line = oneLine(text);
    return line === 'unknown' ? line : parseDecimal(line, 'limit', { min: 1 });
  },
  format: (value) => `${value}\n`,
});
