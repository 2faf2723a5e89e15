import { quoted } from '../quote.ts';
import { type Codec, control, invalid } from './codec.ts';
import { oneLine, requireFinalNewline } from './lines.ts';

/** A control that holds one word of a fixed set. `canonical` also demands the final newline. */
export function wordControl<const W extends string>(
  words: readonly W[],
  text: 'canonical' | 'lenient' = 'lenient',
): Codec<W> {
  return control({
    parse(content) {
      if (text === 'canonical') requireFinalNewline(content);
      return parseWord(oneLine(content), words);
    },
    format: (word) => `${word}\n`,
  });
}

export function parseWord<const W extends string>(text: string, words: readonly W[]): W {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw invalid(`must be ${listed(words)}, got ${quoted(text)}`);
  return word;
}

function listed(words: readonly string[]): string {
  return words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
