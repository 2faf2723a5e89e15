import { type Codec, control } from '../codec.ts';
import { formatPairs, type Pairs, parsePairs } from '../pairs.ts';

/** `model/P/M.d/default`: parameters of each call, such as `temperature=0.2` (docs/controls.md). */
export const defaults: Codec<Pairs> = control({
  parse: (text) => parsePairs(text, /^[a-z][a-z0-9_]{0,63}$/),
  format: formatPairs,
});
