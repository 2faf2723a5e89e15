import { atLine, type Codec, control } from '../codec.ts';
import { formatLines, itemLines } from '../lines.ts';
import { parseWord } from '../word.ts';

const CAPABILITIES = [
  'chat',
  'stream',
  'vision',
  'json_schema',
  'tool_call_syntax',
  'reasoning',
  'embedding',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** `model/P/M.d/cap`: what the model can do, one word a line, never a provider's word (docs/controls.md). */
export const cap: Codec<readonly Capability[]> = control({
  parse: (text) =>
    itemLines(text).map(({ number, text: word }) => atLine(number, () => parseWord(word, CAPABILITIES))),
  format: formatLines,
});
