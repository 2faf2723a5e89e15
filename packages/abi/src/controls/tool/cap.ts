import { quoted } from '../../quote.ts';
import { type Codec, control, invalid } from '../codec.ts';
import { formatLines, itemLines } from '../lines.ts';

/** `tool/NAME.d/cap`: words that tell what the tool does, one a line, for listings and search (docs/controls.md). */
export const cap: Codec<readonly string[]> = control({
  parse: (text) =>
    itemLines(text).map(({ number, text: word }) => {
      if (/^[a-z][a-z0-9._-]{0,63}$/.test(word)) return word;
      throw invalid(`must be a word of a-z, 0-9 and . _ -, got ${quoted(word)}`, { line: number });
    }),
  format: formatLines,
});
