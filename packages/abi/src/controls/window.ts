import { quoted } from '../quote.ts';
import { type Codec, control, invalid } from './codec.ts';
import { MAX_U32 } from './number.ts';

/** `auto` follows the model's limit; a number is tokens. */
export type Window = 'auto' | number;

export const DEFAULT_WINDOW: Window = 'auto';

/** `agent/NAME.d/window`: the context window's setting, one line with its newline exactly (docs/controls.md). */
export const window: Codec<Window> = control({
  parse(text) {
    if (text === 'auto\n') return 'auto';
    const tokens = /^[1-9][0-9]{0,9}\n$/.test(text) ? Number(text) : Number.NaN;
    if (tokens <= MAX_U32) return tokens;
    throw invalid(
      `must be "auto" or a number from 1 to ${MAX_U32}, on one line that ends with a newline, got ${quoted(text)}`,
    );
  },
  format: (value) => `${value}\n`,
});
